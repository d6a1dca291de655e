import {
  type Catalogue,
  type NameFacts,
  noteValue,
  type FieldSource
} from "../../domain/analytics/markers/Catalogue.ts"
import type { Scalar, StoredEvent, Value, Values } from "../../domain/analytics/markers/Event.ts"
import { dayMillis } from "../../domain/Durations.ts"

/** Values by path, as ClickHouse and the lines of the log have them. */
export type StoredValues = Readonly<Record<string, Scalar>>

/** A row of the table, as `markerColumns` selects it. */
export type MarkerRow = readonly [
  type: string,
  at: number,
  unit: string | null,
  session: string | null,
  server: string | null,
  sequence: number,
  delay: number,
  clamped: boolean,
  id: string,
  x: number | null,
  y: number | null,
  z: number | null,
  a: StoredValues,
  p: StoredValues
]

/** What is selected of each marker, for `eventOfRow`. */
export const markerColumns =
  "type, at, if(hasUnit, unit, null), if(hasSession, session, null), if(hasServer, server, null), sequence, delay, clamped, toString(id), x, y, z, a, p"

/** A list from its JSON. */
export const listOf = (text: string): ReadonlyArray<Scalar> => JSON.parse(text)

const valueOf = (path: string, value: Scalar): Value =>
  path.startsWith("l_") && typeof value === "string" ? listOf(value) : value

/** Values by name again, names in UTF-16 order. */
export const valuesOf = (stored: StoredValues): Values =>
  Object.fromEntries(
    Object.entries(stored)
      .map(([path, value]) => [decodeURIComponent(path.slice(2)), valueOf(path, value)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1))
  )

/** The marker of a row. Ids of those received before `idsFrom` (epoch ms) are forgotten, whether or not they are still on disk. */
export const eventOfRow = (row: MarkerRow, idsFrom: number): StoredEvent => {
  const [type, timestamp, unitId, sessionId, serverId, sequence, delay, clamped, id, x, y, z, a, p] = row
  const receivedAt = timestamp + delay
  return {
    type,
    timestamp,
    unitId,
    sessionId,
    serverId,
    sequence,
    receivedAt,
    clamped,
    markerId: receivedAt < idsFrom ? null : id,
    position: x === null || y === null || z === null ? null : [x, y, z],
    arguments: valuesOf(a),
    properties: valuesOf(p)
  }
}

/** A line of the log, as far as the catalogue needs it. */
interface LoggedMarker {
  readonly type: string
  readonly at: number
  readonly a: StoredValues
  readonly p: StoredValues
}

const loggedMarker = (line: string): LoggedMarker => JSON.parse(line)

/** What a catalogue knows of the names that markers of a type have, by their paths. */
type FactsByPath = Map<string, NameFacts>

/** Counts the markers of lines of the log into a catalogue. Names are looked up there once for each path of a type. */
export const lineCounter = (catalogue: Catalogue): ((line: string) => void) => {
  const known = new Map<string, Readonly<Record<FieldSource, FactsByPath>>>()
  const countAll = (facts: FactsByPath, source: FieldSource, type: string, stored: StoredValues, at: number): void => {
    for (const path in stored) {
      const value = stored[path]
      if (value === undefined) continue
      let own = facts.get(path)
      if (own === undefined) facts.set(path, (own = catalogue.name(source, decodeURIComponent(path.slice(2)), type)))
      noteValue(own, valueOf(path, value), at)
    }
  }
  return (line) => {
    const { type, at, a, p } = loggedMarker(line)
    catalogue.type(type, at, at, Math.floor(at / dayMillis), 1)
    let facts = known.get(type)
    if (facts === undefined) known.set(type, (facts = { argument: new Map(), property: new Map() }))
    countAll(facts.argument, "argument", type, a, at)
    countAll(facts.property, "property", type, p, at)
  }
}
