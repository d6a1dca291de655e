import type { MemberChange } from "../cohorts/CohortQuestion.ts"
import { isStorageFull } from "../file/EventsDb.ts"
import type { JobOutcome, WriterJob, WriterReply } from "./Protocol.ts"
import type { Writer } from "../write/Writer.ts"

type Job = Generator<void, JobOutcome>

/** Seals all that is in the tail, then compacts. */
export function* sealAll(writer: Writer): Job {
  yield* writer.sealPresent()
  yield* writer.compact()
  return "Done"
}

/** Seals while the tail has so many events, and compacts; the tail first, also between two steps of compaction, because questions read it row by row. */
export function* sealAndCompact(writer: Writer, sealAt: number): Job {
  do while (writer.tailEvents >= sealAt) yield* writer.seal()
  while (yield* writer.compactSome())
  return "Done"
}

function* swapMembers(writer: Writer, environmentId: number, change: MemberChange): Job {
  try {
    return (yield* writer.swapMembers(environmentId, change)) ? "Done" : "Stale"
  } catch (cause) {
    if (isStorageFull(cause)) return "StorageFull"
    throw cause
  }
}

type Erase = Extract<WriterJob, { readonly type: "erase" }>
export type LoneJob = Exclude<WriterJob, Erase>

/** Units that one pass erases at most: what it does between two commits grows with their rows in a segment. */
const erasedTogether = 100

/** Erasures of one environment that wait for the same pass over its markers. */
export class JointErasure {
  readonly messages: Array<Erase>
  private hasBegun = false

  constructor(first: Erase) {
    this.messages = [first]
  }

  /** Takes one more; false where it has to wait for a pass of its own. */
  join(message: Erase): boolean {
    const isTaken =
      !this.hasBegun &&
      this.messages.length < erasedTogether &&
      this.messages[0]?.environmentId === message.environmentId
    if (isTaken) this.messages.push(message)
    return isTaken
  }

  *job(writer: Writer, environmentId: number, reply: (reply: WriterReply) => void): Job {
    this.hasBegun = true
    const lacking = yield* writer.erase(environmentId, this.messages)
    for (const [at, { id }] of this.messages.entries()) {
      const unreached = lacking[at] ?? null
      if (unreached !== null) reply({ type: "unreached", id, unreached })
    }
    return "Done"
  }
}

export type Ended = JobOutcome | { readonly failure: string }

/** A job that has begun, or waits for those before it. */
export interface Running {
  readonly job: Job
  readonly settle: (ended: Ended) => void
  readonly erasing?: JointErasure
}

/** The work that a message asks for. `reply` gets what is told beside its outcome. */
export function* jobOf(writer: Writer, message: LoneJob, reply: (reply: WriterReply) => void): Job {
  switch (message.type) {
    case "maintain":
      reply({ type: "retired", report: yield* writer.maintain(message.plan) })
      return "Done"
    case "note":
      writer.records.note(message.note)
      return "Done"
    case "noteErasures":
      writer.records.erased(message.erasures)
      return "Done"
    case "drop":
      yield* writer.drop(message.environmentIds)
      return "Done"
    case "swapMembers":
      return yield* swapMembers(writer, message.environmentId, message.change)
    case "removeMembers":
      yield* writer.members.remove(message.environmentId, message.cohortId)
      return "Done"
    case "seal":
      return yield* sealAll(writer)
  }
}
