import { LruCache } from "../../../../domain/LruCache.ts"
import { type Column, sizeOf } from "../format/Column.ts"

/** Times or sequences (float64), units or sessions (uint32), or a column of values. */
export type Decoded = Float64Array | Uint32Array | Column

const bytesOf = (decoded: Decoded): number => ("type" in decoded ? sizeOf(decoded) : decoded.byteLength)

/** Decoded columns of one reader. A key may name thousands of rows; its bytes count like those of the column. */
export class ColumnCache extends LruCache<Decoded> {
  constructor(budget: number) {
    super(budget, bytesOf)
  }
}
