import type { StoredEvent } from "../markers/Event.ts"
import { columnsOf, type TableRow } from "./Table.ts"

/** The columns of exported markers. `arguments` and `properties` are JSON objects; x, y and z are the position. */
export const markerColumns = columnsOf({
  sequence: "integer",
  markerId: "text",
  type: "text",
  unitId: "text",
  sessionId: "text",
  serverId: "text",
  timestamp: "instant",
  receivedAt: "instant",
  clamped: "boolean",
  x: "number",
  y: "number",
  z: "number",
  arguments: "json",
  properties: "json"
})

/** A marker as a row of `markerColumns`. */
export const markerRow = (event: StoredEvent): TableRow => {
  const [x, y, z] = event.position ?? [null, null, null]
  return [
    event.sequence,
    event.markerId,
    event.type,
    event.unitId,
    event.sessionId,
    event.serverId,
    event.timestamp,
    event.receivedAt,
    event.clamped,
    x,
    y,
    z,
    JSON.stringify(event.arguments),
    JSON.stringify(event.properties)
  ]
}
