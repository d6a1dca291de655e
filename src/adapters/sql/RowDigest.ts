import { createHash } from "node:crypto"

/** A value of a row as SQLite's driver and PostgreSQL's give it. */
export type StoredValue = string | number | null | Uint8Array

const textOf = (value: StoredValue | undefined): string | number | null =>
  value instanceof Uint8Array ? `\\x${Buffer.from(value).toString("hex")}` : (value ?? null)

/** Rows of a table, whatever their order: how many there are, and the sum of their SHA-256 to 64 bits. */
export class RowDigest {
  count = 0
  private sum = 0n

  /** The values of a row, always in the same order of columns. */
  add(values: ReadonlyArray<StoredValue | undefined>): void {
    const hash = createHash("sha256")
      .update(JSON.stringify(values.map(textOf)))
      .digest()
    this.count++
    this.sum = BigInt.asUintN(64, this.sum + hash.readBigUInt64BE())
  }

  /** Equal for the same rows. */
  get text(): string {
    return `${this.count} ${this.sum.toString(16)}`
  }
}
