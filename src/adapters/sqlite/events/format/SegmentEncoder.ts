import { crc32 } from "node:zlib"
import { ByteWriter } from "../bytes/ByteWriter.ts"
import { encodeColumn } from "./Column.ts"
import { columnInOrder } from "./ColumnMaking.ts"
import { columnName } from "./ColumnName.ts"
import { orderOf, type SegmentRows } from "./SegmentRows.ts"
import { writeDifferences, writeIntegers, writeNearIntegers } from "../bytes/IntegerEncoding.ts"
import { writeTimeIndex } from "./TimeIndex.ts"

export interface EncodedColumn {
  readonly name: string
  readonly data: Uint8Array
  readonly checksum: number
}

/** A segment ready to be written: rows ordered by (timestamp, sequence), one block for each column. */
export interface EncodedSegment {
  readonly environmentId: number
  /** Null when the segment holds several types. */
  readonly type: string | null
  readonly rows: number
  readonly firstTimestamp: number
  readonly lastTimestamp: number
  readonly lastSequence: number
  readonly columns: ReadonlyArray<EncodedColumn>
}

const packed = (name: string, write: (out: ByteWriter) => void): EncodedColumn => {
  const out = new ByteWriter(4096)
  write(out)
  const data = out.finish()
  return { name, data, checksum: crc32(data) }
}

/**
 * Encodes rows, at least one. Yields after each column so that its caller can do other work in
 * between.
 */
export function* encodeSegment(environmentId: number, rows: SegmentRows): Generator<void, EncodedSegment> {
  const order = orderOf(rows)
  yield
  const sorted = (values: ArrayLike<number>) => {
    const inOrder = new Float64Array(order.length)
    for (let at = 0; at < order.length; at++) inOrder[at] = values[order[at]!]!
    return inOrder
  }
  const { sequences } = rows
  const times = sorted(rows.times)
  const columns = [packed("time", (out) => writeDifferences(out, times))]
  yield
  columns.push(packed("sequence", (out) => writeDifferences(out, sorted(sequences))))
  yield
  columns.push(packed("unit", (out) => writeIntegers(out, sorted(rows.units))))
  columns.push(packed("session", (out) => writeNearIntegers(out, sorted(rows.sessions))))
  yield
  for (const name of rows.columnNames) {
    const column = rows.column(name)
    if (column === undefined) continue
    const data = encodeColumn(columnInOrder(column, order))
    columns.push({ name, data, checksum: crc32(data) })
    yield
  }
  let lastSequence = 0
  for (let row = 0; row < sequences.length; row++) if (sequences[row]! > lastSequence) lastSequence = sequences[row]!
  columns.push(packed(columnName.quarter, (out) => writeTimeIndex(out, times)))
  return {
    environmentId,
    type: rows.type,
    rows: rows.rows,
    firstTimestamp: times[0]!,
    lastTimestamp: times[times.length - 1]!,
    lastSequence,
    columns
  }
}
