import type { Column } from "../format/Column.ts"
import { joinedColumn } from "../format/ColumnMaking.ts"
import type { SegmentRows } from "../format/SegmentRows.ts"
import type { SegmentDecoder } from "../file/SegmentDecoder.ts"
import { type Segment, valueColumns } from "../file/Segments.ts"

const joined = <Numbers extends Float64Array | Uint32Array>(
  into: Numbers,
  segments: ReadonlyArray<Segment>,
  read: (segment: Segment) => ArrayLike<number>
): Numbers => {
  let at = 0
  for (const segment of segments) {
    into.set(read(segment), at)
    at += segment.rows
  }
  return into
}

/**
 * All rows of segments of one type, one segment after the other, as columns: no value is looked at by itself. Yields after each column; one of
 * values is read when it is asked for, so that few are in memory at once.
 */
export function* joinedRows(
  decoder: SegmentDecoder,
  type: string,
  segments: ReadonlyArray<Segment>
): Generator<void, SegmentRows> {
  const rows = segments.reduce((sum, segment) => sum + segment.rows, 0)
  const times = joined(new Float64Array(rows), segments, (segment) => decoder.times(segment))
  yield
  const sequences = joined(new Float64Array(rows), segments, (segment) => decoder.sequences(segment))
  yield
  const units = joined(new Uint32Array(rows), segments, (segment) => decoder.units(segment))
  yield
  const sessions = joined(new Uint32Array(rows), segments, (segment) => decoder.sessions(segment))
  yield
  const column = (name: string): Column | undefined =>
    joinedColumn(segments.map((segment) => ({ rows: segment.rows, column: decoder.column(segment, name) })))
  return { type, rows, times, sequences, units, sessions, columnNames: new Set(segments.flatMap(valueColumns)), column }
}
