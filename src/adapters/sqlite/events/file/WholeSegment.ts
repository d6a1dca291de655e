import { mebibyte } from "../../../../domain/LruCache.ts"
import { type Column, columnAt, numbersAt } from "../format/Column.ts"
import { ColumnCache } from "./ColumnCache.ts"
import { SealedRowBlock } from "./RowBlock.ts"
import type { SegmentDecoder } from "./SegmentDecoder.ts"
import type { Segment } from "./Segments.ts"

/** A segment of which every row is read: each column is decoded once, and all of them go with the block. */
export class WholeSegment extends SealedRowBlock {
  constructor(segment: Segment, decoder: SegmentDecoder) {
    super(segment, decoder, new ColumnCache(256 * mebibyte))
  }

  override columnAt(name: string, rows: Uint32Array): Column | undefined {
    const column = this.column(name)
    return column === undefined ? undefined : columnAt(column, rows)
  }

  override timesAt(rows: Uint32Array): ArrayLike<number> {
    return numbersAt(this.times(), rows)
  }

  override sequencesAt(rows: Uint32Array): ArrayLike<number> {
    return numbersAt(this.sequences(), rows)
  }

  override unitsAt(rows: Uint32Array): ArrayLike<number> {
    return numbersAt(this.units(), rows)
  }

  override sessionsAt(rows: Uint32Array): ArrayLike<number> {
    const sessions = this.sessions()
    return rows.map((row) => sessions[row]!)
  }
}
