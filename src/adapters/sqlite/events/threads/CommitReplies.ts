import type { ReadBody } from "../write/BodyReader.ts"
import type { AppendRequest } from "../write/WriterTail.ts"
import type { AppendOutcome } from "../write/Writer.ts"
import type { ReceivedBody, WriterReply } from "./Protocol.ts"

/** A request that waits for its commit. */
export interface Waiting extends AppendRequest {
  readonly id: number
  /** Of a request whose body was read here. */
  readonly body: { readonly read: ReadBody; readonly bytes: Uint8Array<ArrayBuffer> } | null
}

/** Bytes of frames that one transaction takes at most, unless a single frame is larger. */
const commitBytes = 4 * 1024 * 1024

/** Takes from the queue what the next transaction stores. */
export const takeFrom = (queue: Array<Waiting>): ReadonlyArray<Waiting> => {
  let bytes = 0
  let count = 0
  while (count < queue.length && (count === 0 || bytes < commitBytes)) bytes += queue[count++]!.frame.length
  return queue.splice(0, count)
}

/** The outcome of the request at an index of the commit; a text tells why the request failed. */
export type OutcomeOf = (index: number) => AppendOutcome | string

const bodyOf = (id: number, body: NonNullable<Waiting["body"]>, outcome: AppendOutcome | string): ReceivedBody => {
  if (typeof outcome === "string" || outcome._tag !== "Stored") return { id, received: null, left: body.bytes }
  const { firstSequence, duplicates } = outcome
  return { id, received: { firstSequence, ...body.read.stored(duplicates) }, left: null }
}

/**
 * The replies to all requests of one commit. Bodies that were not stored go back to the main thread, which reads them and finds out why.
 */
export function* repliesTo(batch: ReadonlyArray<Waiting>, outcomeOf: OutcomeOf): Generator<WriterReply, void> {
  const bodies: Array<ReceivedBody> = []
  for (const [index, { id, body }] of batch.entries()) {
    const outcome = outcomeOf(index)
    if (body !== null) bodies.push(bodyOf(id, body, outcome))
    else if (typeof outcome === "string") yield { type: "failed", id, message: outcome }
    else yield { type: "appended", id, outcome }
  }
  if (bodies.length > 0) yield { type: "received", bodies }
}
