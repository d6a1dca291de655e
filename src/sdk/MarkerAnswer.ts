import { isRecord } from "./Record.ts"
import type { Reply } from "./Transport.ts"

const recordsIn = (list: unknown) => (Array.isArray(list) ? list.filter(isRecord) : [])

/** Problems of one marker, in the answer to its batch. */
export const rejectionsIn = (body: unknown): ReadonlyArray<string> => {
  if (!isRecord(body)) return []
  const told = ({ markerId }: Record<string, unknown>, why: unknown) => `marker ${String(markerId)}: ${String(why)}`
  return [
    ...recordsIn(body["rejectedMarkers"]).map((each) => told(each, each["reason"])),
    ...recordsIn(body["staleMarkers"]).map((each) => told(each, "it is older than markers are kept"))
  ]
}

/** Whether the server has decided about each marker. A network that asks people to sign in answers 200 too, and not only with pages. */
export const isDone = (reply: Reply): boolean =>
  reply.isReached &&
  isRecord(reply.body) &&
  (reply.status === 200 || reply.status === 400) &&
  typeof reply.body["ingestedMarkersCount"] === "number"
