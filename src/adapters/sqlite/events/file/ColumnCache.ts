import { type Column, sizeOf } from "../format/Column.ts"

/** Times or sequences (float64), units or sessions (uint32), or a column of values. */
export type Decoded = Float64Array | Uint32Array | Column

const bytesOf = (decoded: Decoded): number => ("type" in decoded ? sizeOf(decoded) : decoded.byteLength) + 256

/** Least recently used cache of decoded columns, at most `limit` bytes. */
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
