import { type Column, sizeOf } from "../format/Column.ts"

/** Times and sequences, ids, or values. */
export type Decoded = Float64Array | Uint32Array | Column

const bytesOf = (decoded: Decoded): number => ("type" in decoded ? sizeOf(decoded) : decoded.byteLength) + 256

/** Decoded columns, least recently used out first, never more than `limit` bytes. */
export class ColumnCache {
  bytes = 0
  private readonly limit: number
  private readonly entries = new Map<string, Decoded>()

  constructor(limit: number) {
    this.limit = limit
  }

  get(key: string): Decoded | undefined {
    const known = this.entries.get(key)
    if (known === undefined) return undefined
    this.entries.delete(key)
    this.entries.set(key, known)
    return known
  }

  set(key: string, decoded: Decoded): void {
    this.entries.set(key, decoded)
    this.bytes += bytesOf(decoded)
    for (const [oldest, old] of this.entries) {
      if (this.bytes <= this.limit) break
      this.entries.delete(oldest)
      this.bytes -= bytesOf(old)
    }
  }
}
