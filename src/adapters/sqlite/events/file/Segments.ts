import type { Incomplete } from "../../../../domain/analytics/question/Question.ts"
import { columnName } from "../format/ColumnName.ts"
import type { Db } from "./Db.ts"
import type { EncodedSegment } from "../format/SegmentEncoder.ts"
import { trustedJson } from "../bytes/TrustedJson.ts"

/** Column number `place` of a segment is stored under the id segment * 65,536 + place. */
export const columnsPerSegment = 65_536

export interface SegmentColumn {
  readonly name: string
  readonly bytes: number
  readonly checksum: number
}

export interface Segment {
  readonly id: number
  readonly environmentId: number
  /** Null when the segment holds several types. */
  readonly type: string | null
  readonly rows: number
  readonly firstTimestamp: number
  readonly lastTimestamp: number
  readonly lastSequence: number
  readonly columns: ReadonlyArray<SegmentColumn>
}

/** Every segment begins with the columns time, sequence, unit and session; value columns follow. */
const fixedColumns = 4

/** The names of the columns that hold values of markers. */
export const valueColumns = ({ columns }: Segment): ReadonlyArray<string> =>
  columns
    .slice(fixedColumns)
    .map(({ name }) => name)
    .filter((name) => name !== columnName.quarter)

/** Whether the segment has a time index, which is always its last column. Segments from before format 5 have none. */
export const hasTimeIndex = ({ columns }: Segment): boolean => columns.at(-1)?.name === columnName.quarter

const placesOf = new WeakMap<Segment, ReadonlyMap<string, number>>()

/** The place of a column among those of the segment, undefined where it has none of that name. A segment may have 10,000 columns. */
export const placeOf = (segment: Segment, name: string): number | undefined => {
  let places = placesOf.get(segment)
  if (places === undefined)
    placesOf.set(segment, (places = new Map(segment.columns.map((each, at) => [each.name, at]))))
  return places.get(name)
}

/** What is missing where the segments cannot be read; null where there are none. */
export const lackingOf = (segments: ReadonlyArray<Segment>): Incomplete | null =>
  segments.length === 0
    ? null
    : {
        rows: segments.reduce((sum, { rows }) => sum + rows, 0),
        from: segments.reduce((least, { firstTimestamp }) => Math.min(least, firstTimestamp), Infinity),
        to: segments.reduce((most, { lastTimestamp }) => Math.max(most, lastTimestamp), -Infinity)
      }

interface Row {
  readonly id: number
  readonly environment_id: number
  readonly type: string | null
  readonly rows: number
  readonly first_timestamp: number
  readonly last_timestamp: number
  readonly last_sequence: number
  readonly columns: string
}

const segmentOf = (row: Row): Segment => {
  const columns = trustedJson<ReadonlyArray<SegmentColumn>>(row.columns)
  return {
    id: row.id,
    environmentId: row.environment_id,
    type: row.type,
    rows: row.rows,
    firstTimestamp: row.first_timestamp,
    lastTimestamp: row.last_timestamp,
    lastSequence: row.last_sequence,
    columns
  }
}

/** The segments of the event file. Call `insert` and `delete` inside a transaction. */
export class Segments {
  private readonly all
  private readonly after
  private readonly column
  private readonly insertSegment
  private readonly insertColumn
  private readonly deleteSegment
  private readonly deleteColumns

  constructor(db: Db) {
    this.all = db.prepare<[], { id: number }>("select id from segment order by id")
    this.after = db.prepare<[number], Row>("select * from segment where id > ? order by id")
    this.column = db.prepare<[number], { data: Uint8Array }>("select data from segment_column where id = ?")
    this.insertSegment = db.prepare<[number, string | null, number, number, number, number, string], { id: number }>(
      `insert into segment (environment_id, type, rows, first_timestamp, last_timestamp, last_sequence, columns)
       values (?, ?, ?, ?, ?, ?, ?) returning id`
    )
    this.insertColumn = db.prepare<[number, Uint8Array]>("insert into segment_column (id, data) values (?, ?)")
    this.deleteSegment = db.prepare<[number]>("delete from segment where id = ?")
    this.deleteColumns = db.prepare<[number, number]>("delete from segment_column where id between ? and ?")
  }

  ids(): ReadonlyArray<number> {
    return this.all.all().map(({ id }) => id)
  }

  /** All segments with an id above `id`, ascending. */
  newerThan(id: number): ReadonlyArray<Segment> {
    return this.after.all(id).map(segmentOf)
  }

  /** The segments with these ids. */
  among(ids: ReadonlyArray<number>): ReadonlyMap<number, Segment> {
    const first = ids.reduce((least, id) => Math.min(least, id), Infinity)
    const wanted = new Set(ids)
    const found = new Map<number, Segment>()
    if (wanted.size > 0)
      for (const row of this.after.iterate(first - 1)) if (wanted.has(row.id)) found.set(row.id, segmentOf(row))
    return found
  }

  /** The stored bytes of a column; undefined when the segment has no column of that name. */
  read(segment: Segment, name: string): Uint8Array | undefined {
    const place = placeOf(segment, name)
    return place === undefined ? undefined : this.column.get(segment.id * columnsPerSegment + place)?.data
  }

  insert(segment: EncodedSegment): void {
    const columns = segment.columns.map(({ name, data, checksum }) => ({ name, bytes: data.length, checksum }))
    const { id } = this.insertSegment.get(
      segment.environmentId,
      segment.type,
      segment.rows,
      segment.firstTimestamp,
      segment.lastTimestamp,
      segment.lastSequence,
      JSON.stringify(columns)
    )!
    for (const [place, { data }] of segment.columns.entries())
      this.insertColumn.run(id * columnsPerSegment + place, data)
  }

  delete(id: number): void {
    this.deleteSegment.run(id)
    this.deleteColumns.run(id * columnsPerSegment, (id + 1) * columnsPerSegment - 1)
  }
}
