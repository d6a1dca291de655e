import type { MaintenancePlan, RetiredReport } from "../write/Maintenance.ts"
import type { TypeNames } from "../../../../domain/ingest/NamesByType.ts"
import { type StoreProblem, unwritable } from "../../../../domain/operations/StoreProblem.ts"
import type { KnownErasure } from "../../../../domain/operations/Reconciliation.ts"
import type { UnreadBatch } from "../../../../domain/ingest/UnreadBatch.ts"
import type { Incomplete } from "../../../../domain/analytics/question/Question.ts"
import type { MemberChange } from "../cohorts/CohortQuestion.ts"
import type { ErasureRecord, PartnerNote } from "../file/FileRecords.ts"
import type { JobOutcome, OpenedFile, Received, ReceivedBody, WriterReply } from "./Protocol.ts"
import type { AppendOutcome } from "../write/Writer.ts"
import type { WriterThread } from "./WriterThread.ts"

export type Appended = AppendOutcome | { readonly _tag: "Overloaded" } | Failed

/** A failure that should not happen: the file is damaged, or a thread died. */
export interface Failed {
  readonly _tag: "Failed"
  readonly message: string
  /** The file was deleted or moved while it is open: what was written is in no file that anybody finds. */
  readonly isLost?: true
}

/** Stale: the members have changed since the change was computed, so it was not applied. */
export type Swapped = Appended | { readonly _tag: "Stale" }

export interface WriterLimits {
  /** Bytes of encoded events that may wait for their commit; further requests are refused as Overloaded. */
  readonly queueBytes: number
}

export interface ErasureRequest {
  readonly environmentId: number
  readonly unitId: string
  readonly record: ErasureRecord | null
}

export type JobRequest =
  | { readonly type: "emptyLog" }
  | { readonly type: "seal" }
  | { readonly type: "maintain"; readonly plan: MaintenancePlan }
  | { readonly type: "note"; readonly note: PartnerNote }
  | { readonly type: "noteErasures"; readonly erasures: ReadonlyArray<KnownErasure> }
  | { readonly type: "drop"; readonly environmentIds: ReadonlyArray<number> }
  | { readonly type: "removeMembers"; readonly environmentId: number; readonly cohortId: number }

export type OnProblems = (problems: ReadonlyArray<StoreProblem>) => void

type OnRead = (received: Received | null, left: Uint8Array<ArrayBuffer> | null) => void

interface Pending {
  readonly bytes: number
  readonly done: (outcome: Swapped) => void
}

const ended: Record<JobOutcome, Swapped> = {
  Done: { _tag: "Stored", firstSequence: 0, duplicates: [] },
  Stale: { _tag: "Stale" },
  StorageFull: { _tag: "StorageFull" },
  StorageLost: { _tag: "StorageLost" }
}

/**
 * The main thread's side of the writer: counts waiting bytes, refuses requests over the limit, and
 * matches replies to requests.
 */
export class WriterClient {
  private readonly limits: WriterLimits
  private readonly onReady: (ready: OpenedFile | Failed) => void
  private readonly onUnsealed: (message: string) => void
  private readonly onRetired: (report: RetiredReport) => void
  private readonly onDamaged: (message: string) => void
  private readonly onEnded: (message: string) => void
  private readonly onLogHeld: (isUrgent: boolean) => void
  private readonly pending = new Map<number, Pending>()
  private readonly unreached = new Map<number, Incomplete>()
  private readonly probes = new Map<number, OnProblems>()
  private readonly bodies = new Map<number, OnRead>()
  private readonly asked = new Map<number, (names: ReadonlyArray<TypeNames>) => void>()
  private thread: WriterThread | null = null
  private failure: Failed | null = null
  private isReady = false
  private nextId = 1
  private waitingBytes = 0

  constructor(
    limits: WriterLimits,
    onReady: (ready: OpenedFile | Failed) => void,
    onUnsealed: (message: string) => void,
    onDamaged: (message: string) => void,
    onRetired: (report: RetiredReport) => void = () => undefined,
    onEnded: (message: string) => void = () => undefined,
    onLogHeld: (isUrgent: boolean) => void = () => undefined
  ) {
    this.onLogHeld = onLogHeld
    this.onEnded = onEnded
    this.onRetired = onRetired
    this.limits = limits
    this.onUnsealed = onUnsealed
    this.onDamaged = onDamaged
    this.onReady = onReady
  }

  attach(thread: WriterThread): void {
    this.thread = thread
  }

  /** Whether so much waits that the next `append` is refused. */
  get isOverloaded(): boolean {
    return this.waitingBytes >= this.limits.queueBytes
  }

  append(environmentId: number, frame: Uint8Array<ArrayBuffer>, done: (outcome: Appended) => void): void {
    if (this.failure !== null) return done(this.failure)
    if (this.isOverloaded) return done({ _tag: "Overloaded" })
    const id = this.remember(frame.length, (outcome) => outcome._tag !== "Stale" && done(outcome))
    this.thread?.send({ type: "append", id, environmentId, frame })
  }

  /** Has the writer read a body. `done` gets the body back where nothing of it was stored, also because too much waits. */
  read(environmentId: number, unread: UnreadBatch, done: OnRead): void {
    if (this.failure !== null || this.isOverloaded) return done(null, unread.bytes)
    const id = this.remember(unread.bytes.length, () => this.tell({ id, received: null, left: null }))
    this.bodies.set(id, done)
    this.thread?.send({ type: "receive", id, environmentId, unread })
  }

  /** Runs a job in the writer; `done` gets null when it has succeeded. */
  run(job: JobRequest, done: (failure: Failed | null) => void): void {
    if (this.failure !== null) return done(this.failure)
    const id = this.remember(0, (outcome) => {
      if (outcome._tag === "StorageLost")
        return done({ _tag: "Failed", message: "The event file is lost", isLost: true })
      done(outcome._tag === "Failed" ? outcome : null)
    })
    this.thread?.send({ ...job, id })
  }

  /** The marker types of an environment and their names. */
  names(environmentId: number, done: (names: ReadonlyArray<TypeNames> | Failed) => void): void {
    if (this.failure !== null) return done(this.failure)
    const id = this.remember(0, (outcome) => {
      this.asked.delete(id)
      if (outcome._tag === "Failed") done(outcome)
    })
    this.asked.set(id, done)
    this.thread?.send({ type: "names", id, environmentId })
  }

  /** Erases a unit; `done` gets what could not be read, null when everything could. */
  erase(request: ErasureRequest, done: (outcome: Failed | Incomplete | null) => void): void {
    if (this.failure !== null) return done(this.failure)
    const id = this.remember(0, (outcome) => {
      const unreached = this.unreached.get(id) ?? null
      this.unreached.delete(id)
      done(outcome._tag === "Failed" ? outcome : unreached)
    })
    this.thread?.send({ type: "erase", id, ...request })
  }

  swapMembers(environmentId: number, change: MemberChange, done: (outcome: Swapped) => void): void {
    if (this.failure !== null) return done(this.failure)
    const id = this.remember(0, done)
    this.thread?.send({ type: "swapMembers", id, environmentId, change })
  }

  /** Tries a write between two commits. `done` gets what is wrong with the file, also where the writer has ended. */
  probe(done: OnProblems): void {
    if (this.failure !== null) return done([unwritable("events", this.failure.message)])
    const id = this.nextId++
    this.probes.set(id, done)
    this.thread?.send({ type: "probe", id })
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
      this.onReady(reply.opened)
    } else if (reply.type === "appended") this.settle(reply.id, reply.outcome)
    else if (reply.type === "received") for (const body of reply.bodies) this.tell(body)
    else if (reply.type === "names") this.answer(reply.id, reply.names)
    else if (reply.type === "retired") this.onRetired(reply.report)
    else if (reply.type === "logHeld") this.onLogHeld(reply.isUrgent)
    else if (reply.type === "unsealed") this.onUnsealed(reply.message)
    else if (reply.type === "probed") this.answerProbe(reply.id, reply.problems)
    else if (reply.type === "unreached") this.unreached.set(reply.id, reply.unreached)
    else if (reply.type === "damaged") this.onDamaged(reply.message)
    else if (reply.type === "done") this.settle(reply.id, ended[reply.outcome])
    else this.fail(reply.id, { _tag: "Failed", message: reply.message })
  }

  private answer(id: number, names: ReadonlyArray<TypeNames>): void {
    const done = this.asked.get(id)
    this.settle(id, ended.Done)
    done?.(names)
  }

  private tell({ id, received, left }: ReceivedBody): void {
    const done = this.bodies.get(id)
    this.bodies.delete(id)
    this.settle(id, ended.Done)
    done?.(received, left)
  }

  private remember(bytes: number, done: (outcome: Swapped) => void): number {
    const id = this.nextId++
    this.pending.set(id, { bytes, done })
    this.waitingBytes += bytes
    return id
  }

  private settle(id: number, outcome: Swapped): void {
    const pending = this.pending.get(id)
    if (pending === undefined) return
    this.pending.delete(id)
    this.waitingBytes -= pending.bytes
    pending.done(outcome)
  }

  private answerProbe(id: number, problems: ReadonlyArray<StoreProblem>): void {
    this.probes.get(id)?.(problems)
    this.probes.delete(id)
  }

  private fail(id: number | null, failure: Failed): void {
    if (id !== null) return this.settle(id, failure)
    if (this.failure === null && this.isReady) this.onEnded(failure.message)
    this.failure ??= failure
    for (const waiting of this.pending.keys()) this.settle(waiting, failure)
    for (const probe of this.probes.keys()) this.answerProbe(probe, [unwritable("events", failure.message)])
    if (!this.isReady) this.onReady(failure)
    this.isReady = true
  }
}
