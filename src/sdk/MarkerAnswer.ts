import { isRecord } from "./Record.ts"
import { messageIn, type Reply } from "./Transport.ts"

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

/**
 * What the server says of a body that it cannot take, however often it is sent: it is too large, no JSON, or nested too deep. Null for every other
 * answer. Refusals of the key and the environment are answered with 400 too, and end once somebody puts the key right.
 */
export const flawOfBody = (reply: Reply): string | null => {
  if (!reply.isReached) return null
  if (reply.status === 413) return "it is too large"
  const { code } = reply.status === 400 && isRecord(reply.body) ? reply.body : {}
  const message = messageIn(reply.status, reply.body)
  return code === "MALFORMED_JSON" || (code === "VALIDATION_FAILED" && message.startsWith("body:")) ? message : null
}

/** Whether the server has decided about each marker. A network that asks people to sign in answers 200 too, and not only with pages. */
export const isDone = (reply: Reply): boolean =>
  reply.isReached &&
  isRecord(reply.body) &&
  (reply.status === 200 || reply.status === 400) &&
  typeof reply.body["ingestedMarkersCount"] === "number"
