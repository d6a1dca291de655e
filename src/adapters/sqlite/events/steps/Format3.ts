import type Database from "better-sqlite3"
import { crc32 } from "node:zlib"
import { dayOfFormat3, Format3Reader } from "./Format3Bytes.ts"

// Frozen: files of format 3 exist, so what this step makes must never change. Any change of the format is a new step.

const tables = `
create table activity (
  environment_id integer not null,
  day integer not null,
  stamp integer not null,
  checksum integer not null,
  data blob not null,
  primary key (environment_id, day)
) strict;
alter table environment add column complete_from integer;
`

const hourMs = 3_600_000
const hoursPerDay = 24
const columnsPerSegment = 65_536

interface SegmentRow {
  readonly id: number
  readonly environment_id: number
  readonly rows: number
  readonly columns: string
}

interface StoredColumn {
  readonly name: string
  readonly checksum: number
}

/** Bits of hours by unit, by UTC day. */
type Days = Map<number, Map<number, number>>

/** A reader of a column, or undefined when its bytes are missing or do not have their checksum. */
const columnReader = (db: Database.Database) => {
  const find = db.prepare<[number], { data: Uint8Array }>("select data from segment_column where id = ?")
  return (segment: SegmentRow, name: string): Format3Reader | undefined => {
    const columns: ReadonlyArray<StoredColumn> = JSON.parse(segment.columns)
    const place = columns.findIndex((column) => column.name === name)
    const column = columns[place]
    const data = column === undefined ? undefined : find.get(segment.id * columnsPerSegment + place)?.data
    return data !== undefined && crc32(data) === column?.checksum ? new Format3Reader(data) : undefined
  }
}

const addRow = (days: Days, unit: number, time: number): void => {
  const hour = Math.floor(time / hourMs)
  const day = Math.floor(hour / hoursPerDay)
  const units = days.get(day) ?? new Map<number, number>()
  days.set(day, units.set(unit, (units.get(unit) ?? 0) | (1 << (hour - day * hoursPerDay))))
}

/**
 * The active hours of every sealed marker that has a unit, by environment. Damaged segments are left out, as they are
 * left out of answers.
 */
const gather = (db: Database.Database): ReadonlyMap<number, Days> => {
  const read = columnReader(db)
  const gathered = new Map<number, Days>()
  const segments = db.prepare<[], SegmentRow>("select id, environment_id, rows, columns from segment order by id").all()
  for (const segment of segments) {
    const days: Days = gathered.get(segment.environment_id) ?? new Map<number, Map<number, number>>()
    gathered.set(segment.environment_id, days)
    const units = read(segment, "unit")?.integers(segment.rows)
    const times = read(segment, "time")?.differences(segment.rows)
    if (units === undefined || times === undefined) continue
    for (const [row, unit] of units.entries()) if (unit !== 0) addRow(days, unit, times[row]!)
  }
  return gathered
}

/** Brings a file of format 2 to format 3: which units were active in which hours. */
export const toFormat3 = (db: Database.Database): void => {
  db.exec(tables)
  const put = db.prepare<[number, number, number, Uint8Array]>(
    "insert into activity (environment_id, day, stamp, checksum, data) values (?, ?, 1, ?, ?)"
  )
  for (const [environmentId, days] of gather(db))
    for (const [day, hoursOf] of days) {
      const units = Float64Array.from(hoursOf.keys()).sort()
      const data = dayOfFormat3(
        units,
        units.map((unit) => hoursOf.get(unit) ?? 0)
      )
      put.run(environmentId, day, crc32(data), data)
    }
}
