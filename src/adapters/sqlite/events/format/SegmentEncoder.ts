import { crc32 } from "node:zlib"
import { ByteWriter } from "../bytes/ByteWriter.ts"
import { columnOf, encodeColumn } from "./Column.ts"
import { columnName } from "./ColumnName.ts"
import { type SegmentBuilder } from "./SegmentBuilder.ts"
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
 * Encodes a builder that has at least one row. Yields after each column so that its caller can do other work in
 * between.
 */
export function* encodeSegment(environmentId: number, builder: SegmentBuilder): Generator<void, EncodedSegment> {
  const order = builder.order()
  yield
  const sorted = (values: ReadonlyArray<number>) => {
    const inOrder = new Float64Array(order.length)
    for (let at = 0; at < order.length; at++) inOrder[at] = values[order[at]!]!
    return inOrder
  }
  const times = sorted(builder.times)
  const columns = [packed("time", (out) => writeDifferences(out, times))]
  yield
  columns.push(packed("sequence", (out) => writeDifferences(out, sorted(builder.sequences))))
  yield
  columns.push(packed("unit", (out) => writeIntegers(out, sorted(builder.units))))
  columns.push(packed("session", (out) => writeNearIntegers(out, sorted(builder.sessions))))
  yield
  for (const [name, cells] of builder.columns) {
    const data = encodeColumn(columnOf(cells, order))
    columns.push({ name, data, checksum: crc32(data) })
    yield
  }
  columns.push(packed(columnName.quarter, (out) => writeTimeIndex(out, times)))
  return {
    environmentId,
    type: builder.type,
    rows: builder.rows,
    firstTimestamp: times[0]!,
    lastTimestamp: times[times.length - 1]!,
    lastSequence: builder.sequences.reduce((highest, sequence) => Math.max(highest, sequence), 0),
    columns
  }
}
