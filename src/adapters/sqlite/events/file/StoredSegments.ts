import type { StoredEvent } from "../../../../domain/analytics/markers/Event.ts"
import { type Column, valueAt } from "../format/Column.ts"
import { columnName, type Draft } from "../format/Draft.ts"
import type { SegmentDecoder } from "./SegmentDecoder.ts"
import { type Segment, valueColumns } from "./Segments.ts"
import type { Slab } from "./Slab.ts"

/** Adds the rows of a segment for which `keeps` holds to the draft that `draftFor` chooses by type. */
export const addRows = (
  decoder: SegmentDecoder,
  segment: Segment,
  draftFor: (type: string) => Draft,
  keeps: (unit: number) => boolean = () => true
): void => {
  const times = decoder.times(segment)
  const sequences = decoder.sequences(segment)
  const units = decoder.units(segment)
  const sessions = decoder.sessions(segment)
  const types = decoder.column(segment, columnName.type)
  const columns = valueColumns(segment)
    .filter((name) => name !== columnName.type)
    .map((name) => ({ name, column: decoder.column(segment, name) }))
  for (let row = 0; row < segment.rows; row++) {
    if (!keeps(units[row]!)) continue
    const type = segment.type ?? String(types === undefined ? "" : valueAt(types, row))
    const draft = draftFor(type)
    const at = draft.rows
    draft.times.push(times[row]!)
    draft.sequences.push(sequences[row]!)
    draft.units.push(units[row]!)
    draft.sessions.push(sessions[row]!)
    if (draft.type === null) draft.set(columnName.type, at, type)
    for (const { name, column } of columns) {
      const value = column === undefined ? undefined : valueAt(column, row)
      if (value !== undefined) draft.set(name, at, value)
    }
  }
}

/** What a stored row does not say by itself. */
export interface Names {
  unit(id: number): string | null
  session(id: number): string | null
  receivedAt(sequence: number): number
  markerId(sequence: number): string | null
}

const valuesAt = (columns: ReadonlyMap<string, Column>, prefix: string, at: number) => {
  const found: Array<readonly [string, NonNullable<ReturnType<typeof valueAt>>]> = []
  for (const [name, column] of columns) {
    const value = name.startsWith(prefix) ? valueAt(column, at) : undefined
    if (value !== undefined) found.push([name.slice(prefix.length), value])
  }
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Rows of a slab as markers; what no scan has decoded is decoded for these rows only. */
export const eventsOf = (slab: Slab, rows: ReadonlyArray<number>, names: Names): ReadonlyArray<StoredEvent> => {
  const wanted = Uint32Array.from(rows)
  const [times, sequences, units, sessions] = [slab.times(), slab.sequences(), slab.units(), slab.sessionsAt(wanted)]
  const columns = new Map<string, Column>()
  for (const name of slab.columnNames) {
    const column = slab.columnAt(name, wanted)
    if (column !== undefined) columns.set(name, column)
  }
  const textAt = (name: string, at: number): string | null => {
    const column = columns.get(name)
    const value = column === undefined ? undefined : valueAt(column, at)
    return value === undefined ? null : String(value)
  }
  const axis = (name: string, at: number) => Number(valueAt(columns.get(name)!, at))
  return rows.map((row, at) => ({
    sequence: sequences[row]!,
    markerId: names.markerId(sequences[row]!),
    type: slab.type ?? textAt(columnName.type, at) ?? "",
    unitId: names.unit(units[row]!),
    sessionId: names.session(sessions[at]!),
    serverId: textAt(columnName.server, at),
    timestamp: times[row]!,
    receivedAt: names.receivedAt(sequences[row]!),
    clamped: textAt(columnName.clamped, at) !== null,
    arguments: valuesAt(columns, "a:", at),
    properties: valuesAt(columns, "p:", at),
    position:
      textAt(columnName.x, at) === null
        ? null
        : [axis(columnName.x, at), axis(columnName.y, at), axis(columnName.z, at)]
  }))
}
