import { crc32 } from "node:zlib"
import { ByteReader } from "../bytes/ByteReader.ts"
import { type Column, decodeColumn, decodeColumnAt } from "../format/Column.ts"
import { columnName } from "../format/ColumnName.ts"
import {
  placesOfCode,
  readCodes,
  readDifferences,
  readDifferencesAt,
  readIntegersAt
} from "../bytes/IntegerEncoding.ts"
import { placeOf, type Segment, type Segments } from "./Segments.ts"
import { readTimeIndex, type TimeIndex } from "../format/TimeIndex.ts"

/** A segment that cannot be read. The message names the segment and what is wrong with it. */
export class DamagedSegment extends Error {
  override readonly name = "DamagedSegment"
  readonly segment: Segment

  constructor(segment: Segment, what: string) {
    const { id, environmentId, type } = segment
    super(`Segment ${id} (environment ${environmentId}, ${type ?? "several types"}): ${what}`)
    this.segment = segment
  }
}

/** Decodes the columns of stored segments after comparing each with its checksum. */
export class SegmentDecoder {
  private readonly segments: Segments

  constructor(segments: Segments) {
    this.segments = segments
  }

  times(segment: Segment): Float64Array {
    return this.required(segment, "time", (data) => readDifferences(new ByteReader(data), segment.rows))
  }

  /** The segment must have one: see `hasTimeIndex`. */
  timeIndex(segment: Segment): TimeIndex {
    return this.required(segment, columnName.quarter, (data) => readTimeIndex(new ByteReader(data)))
  }

  sequences(segment: Segment): Float64Array {
    return this.required(segment, "sequence", (data) => readDifferences(new ByteReader(data), segment.rows))
  }

  units(segment: Segment): Uint32Array {
    return this.required(segment, "unit", (data) => readCodes(new ByteReader(data), segment.rows))
  }

  sessions(segment: Segment): Uint32Array {
    return this.required(segment, "session", (data) => readCodes(new ByteReader(data), segment.rows))
  }

  /** Undefined when no row has a value in it. */
  column(segment: Segment, name: string): Column | undefined {
    return placeOf(segment, name) !== undefined
      ? this.required(segment, name, (data) => decodeColumn(data, segment.rows))
      : undefined
  }

  /** The column of the given rows only. */
  columnAt(segment: Segment, name: string, rows: Uint32Array): Column | undefined {
    return placeOf(segment, name) !== undefined
      ? this.required(segment, name, (data) => decodeColumnAt(data, segment.rows, rows))
      : undefined
  }

  sessionsAt(segment: Segment, rows: Uint32Array): Float64Array {
    return this.required(segment, "session", (data) => readIntegersAt(new ByteReader(data), segment.rows, rows))
  }

  unitsAt(segment: Segment, rows: Uint32Array): Float64Array {
    return this.required(segment, "unit", (data) => readIntegersAt(new ByteReader(data), segment.rows, rows))
  }

  /** The rows of one unit, ascending. */
  rowsOfUnit(segment: Segment, unit: number): Array<number> {
    return this.required(segment, "unit", (data) => placesOfCode(new ByteReader(data), segment.rows, unit))
  }

  timesAt(segment: Segment, rows: Uint32Array): Float64Array {
    return this.required(segment, "time", (data) => readDifferencesAt(new ByteReader(data), segment.rows, rows))
  }

  sequencesAt(segment: Segment, rows: Uint32Array): Float64Array {
    return this.required(segment, "sequence", (data) => readDifferencesAt(new ByteReader(data), segment.rows, rows))
  }

  private required<Decoded>(segment: Segment, name: string, decode: (data: Uint8Array) => Decoded): Decoded {
    const data = this.segments.read(segment, name)
    const expected = segment.columns[placeOf(segment, name) ?? -1]
    if (data === undefined || expected === undefined) throw new DamagedSegment(segment, `column ${name} is missing`)
    if (data.length !== expected.bytes) throw new DamagedSegment(segment, `column ${name} is cut short`)
    if (crc32(data) !== expected.checksum) throw new DamagedSegment(segment, `column ${name} has a wrong checksum`)
    return decode(data)
  }
}
