import type { Document, Json } from "../configuration/Document.ts"
import { isObject } from "../configuration/Document.ts"
import { instantOf } from "../ingest/Timestamp.ts"

/** The latest that is known of a game server. `reportedAt` is in UTC epoch milliseconds. */
export interface ServerState {
  readonly serverId: string
  readonly reportedAt: number
  /** The report as it is kept, as JSON. */
  readonly state: string
}

const owner = "privateServerOwnerId"

const counted = (value: Json): Json => {
  if (Array.isArray(value)) return value.length
  return isObject(value) ? withoutPlayers(value) : value
}

/** A report in which lists, as that of the players, are their lengths: the id of a player would outlive the player's erasure. */
export const withoutPlayers = (report: Document): Document =>
  Object.fromEntries(
    Object.entries(report).flatMap(([name, value]) => (name === owner ? [] : [[name, counted(value)] as const]))
  )

/** The marker of a report. A report without a time of its own is of the time of its receipt (UTC epoch milliseconds). */
export const markerOf = (serverId: string, { timestamp, ...state }: Document, receivedAt: number) => {
  const { placeVersion, rootPlaceId, ...value } = state
  return {
    type: "$serverState",
    timestamp: instantOf(timestamp) ?? receivedAt,
    serverId,
    value,
    properties: {
      ...(rootPlaceId === undefined ? {} : { placeId: rootPlaceId }),
      ...(placeVersion === undefined ? {} : { placeVersion })
    }
  }
}
