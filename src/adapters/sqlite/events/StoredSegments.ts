import type { StoredEvent } from "../../../domain/analytics/Event.ts"
import { type Column, valueAt } from "./Column.ts"
import { columnName, type Draft } from "./Draft.ts"
import type { SegmentDecoder } from "./SegmentDecoder.ts"
import type { Segment } from "./Segments.ts"
import type { Slab } from "./Slab.ts"

const own = new Set<string>(["time", "sequence", "unit", "session"])

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
  const columns = segment.columns
    .filter(({ name }) => !own.has(name) && name !== columnName.type)
    .map(({ name }) => ({ name, column: decoder.column(segment, name) }))
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

const valuesAt = (columns: ReadonlyMap<string, Column>, prefix: string, row: number) => {
  const found: Array<readonly [string, NonNullable<ReturnType<typeof valueAt>>]> = []
  for (const [name, column] of columns) {
    const value = name.startsWith(prefix) ? valueAt(column, row) : undefined
    if (value !== undefined) found.push([name.slice(prefix.length), value])
  }
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Rows of a slab as markers. */
export const eventsOf = (slab: Slab, rows: ReadonlyArray<number>, names: Names): ReadonlyArray<StoredEvent> => {
  const [times, sequences, units, sessions] = [slab.times(), slab.sequences(), slab.units(), slab.sessions()]
  const columns = new Map<string, Column>()
  for (const name of slab.columnNames) {
    const column = slab.column(name)
    if (column !== undefined) columns.set(name, column)
  }
  const textAt = (name: string, row: number): string | null => {
    const column = columns.get(name)
    const value = column === undefined ? undefined : valueAt(column, row)
    return value === undefined ? null : String(value)
  }
  const axis = (name: string, row: number) => Number(valueAt(columns.get(name)!, row))
  return rows.map((row) => ({
    sequence: sequences[row]!,
    markerId: names.markerId(sequences[row]!),
    type: slab.type ?? textAt(columnName.type, row) ?? "",
    unitId: names.unit(units[row]!),
    sessionId: names.session(sessions[row]!),
    serverId: textAt(columnName.server, row),
    timestamp: times[row]!,
    receivedAt: names.receivedAt(sequences[row]!),
    clamped: textAt(columnName.clamped, row) !== null,
    arguments: valuesAt(columns, "a:", row),
    properties: valuesAt(columns, "p:", row),
    position:
      textAt(columnName.x, row) === null
        ? null
        : [axis(columnName.x, row), axis(columnName.y, row), axis(columnName.z, row)]
  }))
}
