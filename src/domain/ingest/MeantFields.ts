import { nearestName } from "../NearestName.ts"

type Named = "eventName" | "timestamp"

/** What other products call a field. */
const synonyms: Readonly<Record<Named, ReadonlySet<string>>> = {
  eventName: new Set(["event", "name", "event_type", "eventType", "event_id", "action"]),
  timestamp: new Set(["time", "ts", "date", "datetime", "at", "created_at", "createdAt", "event_time", "client_ts"])
}

/** Fields of a marker that are looked at, and characters of their names: what is refused may be of any size. */
const mostFields = 16
const longestName = 16

const known: ReadonlySet<string> = new Set([
  "markerId",
  "timestamp",
  "eventName",
  "type",
  "distinctId",
  "userId",
  "sessionId",
  "serverId",
  "properties",
  "value"
])

/** Names the field of a marker that was sent in place of a missing one, in words that follow what is wrong; empty where there is none. */
export const meantAs = (marker: Readonly<Record<string, unknown>>, missing: Named): string => {
  if (marker[missing] !== undefined) return ""
  let seen = 0
  for (const name in marker) {
    if (seen++ === mostFields) break
    if (known.has(name) || name.length > longestName) continue
    if (synonyms[missing].has(name) || nearestName(name, [missing]) !== undefined) {
      return ` (${name} is not read: did you mean ${missing}?)`
    }
  }
  return ""
}
