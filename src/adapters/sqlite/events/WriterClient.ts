import type { Event } from "../../../domain/analytics/Event.ts"
import { encodeFrame } from "./FrameEncoder.ts"
import type { HighestSequences, WriterReply } from "./Protocol.ts"
import type { AppendOutcome, MaintenancePlan } from "./Writer.ts"
import type { WriterThread } from "./WriterThread.ts"

export type Appended = AppendOutcome | { readonly _tag: "Overloaded" } | Failed

/** Something that should not happen: a damaged file, a thread that died. */
export interface Failed {
  readonly _tag: "Failed"
  readonly message: string
}

export interface WriterLimits {
  /** Bytes of encoded events that may wait for their commit before requests are refused. */
  readonly queueBytes: number
}

export type JobRequest =
  | { readonly type: "seal" }
  | { readonly type: "maintain"; readonly plan: MaintenancePlan }
  | { readonly type: "erase"; readonly environmentId: number; readonly unitId: string }

interface Pending {
  readonly bytes: number
  readonly done: (outcome: Appended) => void
}

/** The asking side of the writer: counts what waits, refuses over capacity, matches replies to requests. */
export class WriterClient {
  private readonly limits: WriterLimits
  private readonly onReady: (ready: HighestSequences | Failed) => void
  private readonly pending = new Map<number, Pending>()
  private thread: WriterThread | null = null
  private failure: Failed | null = null
  private isReady = false
  private nextId = 1
  private waitingBytes = 0

  constructor(limits: WriterLimits, onReady: (ready: HighestSequences | Failed) => void) {
    this.limits = limits
    this.onReady = onReady
  }

  attach(thread: WriterThread): void {
    this.thread = thread
  }

  append(
    environmentId: number,
    receivedAt: number,
    events: ReadonlyArray<Event>,
    done: (outcome: Appended) => void
  ): void {
    if (this.failure !== null) return done(this.failure)
    if (this.waitingBytes >= this.limits.queueBytes) return done({ _tag: "Overloaded" })
    const frame = encodeFrame(receivedAt, events)
    const id = this.remember(frame.length, done)
    this.thread?.send({ type: "append", id, environmentId, frame })
  }

  /** Runs a job in the writer; null when it is done. */
  run(job: JobRequest, done: (failure: Failed | null) => void): void {
    if (this.failure !== null) return done(this.failure)
    const id = this.remember(0, (outcome) => done(outcome._tag === "Failed" ? outcome : null))
    this.thread?.send({ ...job, id })
  }

  close(done: () => void): void {
    if (this.failure !== null) return done()
    const id = this.remember(0, () => {
      this.failure = { _tag: "Failed", message: "The event store is closed" }
      done()
    })
    this.thread?.send({ type: "close", id })
  }

  readonly receive = (reply: WriterReply): void => {
    if (reply.type === "ready") {
      this.isReady = true
      this.onReady(reply.highestSequences)
    } else if (reply.type === "appended") this.settle(reply.id, reply.outcome)
    else if (reply.type === "done") this.settle(reply.id, { _tag: "Stored", firstSequence: 0, duplicates: [] })
    else this.fail(reply.id, { _tag: "Failed", message: reply.message })
  }

  private remember(bytes: number, done: (outcome: Appended) => void): number {
    const id = this.nextId++
    this.pending.set(id, { bytes, done })
    this.waitingBytes += bytes
    return id
  }

  private settle(id: number, outcome: Appended): void {
    const pending = this.pending.get(id)
    if (pending === undefined) return
    this.pending.delete(id)
    this.waitingBytes -= pending.bytes
    pending.done(outcome)
  }

  private fail(id: number | null, failure: Failed): void {
    if (id !== null) return this.settle(id, failure)
    this.failure ??= failure
    for (const waiting of this.pending.keys()) this.settle(waiting, failure)
    if (!this.isReady) this.onReady(failure)
    this.isReady = true
  }
}
