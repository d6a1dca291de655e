import type { Document, Json } from "../configuration/Document.ts"
import { isObject } from "../configuration/Document.ts"
import { instantOf } from "../ingest/Timestamp.ts"

/** The latest report of a game server. `reportedAt` is in epoch ms. */
export interface ServerState {
  readonly serverId: string
  readonly reportedAt: number
  /** The report as JSON. */
  readonly state: string
}

const owner = "privateServerOwnerId"

const counted = (value: Json): Json => {
  if (Array.isArray(value)) return value.length
  return isObject(value) ? withoutPlayers(value) : value
}

/**
 * The report with each list, such as that of players, replaced by its length: stored player ids would outlive the
 * erasure of the player.
 */
export const withoutPlayers = (report: Document): Document =>
  Object.fromEntries(
    Object.entries(report).flatMap(([name, value]) => (name === owner ? [] : [[name, counted(value)] as const]))
  )

/** The marker of a report. A report without a time has that of its receipt (epoch ms). */
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
