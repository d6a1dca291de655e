import { LruCache } from "../../../../domain/LruCache.ts"
import { type Column, sizeOf } from "../format/Column.ts"

/** Times or sequences (float64), units or sessions (uint32), or a column of values. */
export type Decoded = Float64Array | Uint32Array | Column

const bytesOf = (decoded: Decoded): number => ("type" in decoded ? sizeOf(decoded) : decoded.byteLength)

/** What a question may fill beside decoded columns. */
export interface WorkingMemory {
  /** Bytes that the question should take at most at one time. */
  readonly bytes: number
  /** Tells that the question now takes this many bytes; the cache keeps as many bytes of columns less. */
  reserve(bytes: number): void
}

/** Decoded columns of one reader, which leave half of their room to a question that needs it. A key may name thousands of rows; its bytes count like those of the column. */
export class ColumnCache extends LruCache<Decoded> {
  readonly working: WorkingMemory

  constructor(budget: number) {
    super(budget, bytesOf)
    this.working = { bytes: budget / 2, reserve: (bytes) => this.reserve(bytes) }
  }
}
