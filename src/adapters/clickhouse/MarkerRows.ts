import type { Scalar, StoredEvent, Value, Values } from "../../domain/analytics/markers/Event.ts"

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
  readonly sequence: number
  readonly a: StoredValues
  readonly p: StoredValues
}

const loggedMarker = (line: string): LoggedMarker => JSON.parse(line)

/** The markers of lines of the log, with what the catalogue needs of them alone: names come in any order. */
export const linesReader = (): ((line: string) => StoredEvent) => {
  const names = new Map<string, string>()
  const nameOf = (path: string): string => {
    let name = names.get(path)
    if (name === undefined) names.set(path, (name = decodeURIComponent(path.slice(2))))
    return name
  }
  const unordered = (stored: StoredValues): Values => {
    const values = new Map<string, Value>()
    for (const path in stored) {
      const value = stored[path]
      if (value !== undefined) values.set(nameOf(path), valueOf(path, value))
    }
    return Object.fromEntries(values)
  }
  return (line) => {
    const { type, at, sequence, a, p } = loggedMarker(line)
    return {
      type,
      timestamp: at,
      sequence,
      unitId: null,
      sessionId: null,
      serverId: null,
      receivedAt: at,
      clamped: false,
      markerId: null,
      position: null,
      arguments: unordered(a),
      properties: unordered(p)
    }
  }
}
