import type { MaintenancePlan } from "./write/Maintenance.ts"
import type { TypeNames } from "../../../domain/ingest/NamesByType.ts"
import type { Event } from "../../../domain/analytics/markers/Event.ts"
import { damagedParts } from "../../../domain/operations/StoreProblem.ts"
import { keptFromOf, type RetentionRule, RetentionRules } from "../../../domain/analytics/markers/RetentionRule.ts"
import type { ErasureRecord, PartnerNote } from "./file/FileRecords.ts"
import { encodeFrame } from "./format/FrameEncoder.ts"
import type { HeldLog } from "./file/HeldLog.ts"
import type { OpenedFile } from "./threads/Protocol.ts"
import type { KnownErasure } from "../../../domain/operations/Reconciliation.ts"
import type { OnReceived, UnreadBatch } from "../../../domain/ingest/UnreadBatch.ts"
import type { DataVersion, Incomplete } from "../../../domain/analytics/question/Question.ts"
import type { MemberChange, StoreAnswers, StoreQuestionOf } from "./cohorts/CohortQuestion.ts"
import type { Damages } from "./threads/Damages.ts"
import type { PoolAnswer, Ticket } from "./threads/PoolTerms.ts"
import type { ReaderPool } from "./threads/ReaderPool.ts"
import { UnderWay } from "./threads/UnderWay.ts"
import type { Appended, Failed, OnProblems, Swapped, WriterClient } from "./threads/WriterClient.ts"

/** How a question is asked. */
export interface Asking {
  /** Milliseconds of work, the wait for a thread aside. */
  readonly budget: number
  /** Epoch milliseconds: what is past retention then is left out. */
  readonly now?: number
  /** Whose turn it takes; without one the environment has turns of its own. */
  readonly organizationId?: number | undefined
}

/** The event store as the main thread sees it: one writer takes the appends, a pool of readers answers questions. */
export class Events {
  /** The id of the file; null without a partner. */
  readonly id: string | null
  private readonly writer: WriterClient
  private readonly readers: ReaderPool
  private readonly highest: Map<number, number>
  private readonly removals = new Map<number, number>()
  private readonly generations = new Map<number, number>()
  private readonly erasures = new UnderWay()
  private readonly rules = new RetentionRules()
  private readonly damages: Damages
  private readonly held: HeldLog | null

  /** `held`: what keeps the log while the writer has a thread of its own. */
  constructor(
    writer: WriterClient,
    readers: ReaderPool,
    { id, highestSequences }: OpenedFile,
    damages: Damages,
    held: HeldLog | null
  ) {
    this.id = id
    this.damages = damages
    this.held = held
    this.writer = writer
    this.readers = readers
    this.highest = new Map(highestSequences)
  }

  /** Whether so much waits to be stored that the next `append` is refused. */
  get isOverloaded(): boolean {
    return this.writer.isOverloaded
  }

  /** Stores events; `done` gets Stored once they are on disk. `receivedAt` (epoch ms) replaces the events' own. */
  append(
    environmentId: number,
    receivedAt: number,
    events: ReadonlyArray<Event>,
    done: (outcome: Appended) => void
  ): void {
    if (this.isOverloaded) return done({ _tag: "Overloaded" })
    this.appendFrame(environmentId, encodeFrame(receivedAt, events), events.length, done)
  }

  /** Stores the frame of so many events. */
  appendFrame(
    environmentId: number,
    frame: Uint8Array<ArrayBuffer>,
    count: number,
    done: (outcome: Appended) => void
  ): void {
    this.writer.append(environmentId, frame, (outcome) => {
      if (outcome._tag === "Stored")
        this.grown(environmentId, outcome.firstSequence + count - outcome.duplicates.length - 1)
      done(outcome)
    })
  }

  /** Reads a body and stores its markers; `done` gets what became of them once they are on disk, null where nothing was stored. */
  receive(environmentId: number, unread: UnreadBatch, done: OnReceived): void {
    this.writer.read(environmentId, unread, (received, left) => {
      if (received !== null)
        this.grown(environmentId, received.firstSequence + received.counts.ingestedMarkersCount - 1)
      done(received, left)
    })
  }

  /** The highest acknowledged sequence of the environment, 0 before the first. */
  highestSequence(environmentId: number): number {
    return this.highest.get(environmentId) ?? 0
  }

  /** The highest acknowledged sequence of every environment that has one. */
  highestSequences(): ReadonlyMap<number, number> {
    return this.highest
  }

  /** Changes whenever an answer given at `now` (epoch milliseconds) may change, so that caches can compare it. */
  version(environmentId: number, now: number): DataVersion {
    return {
      keptFrom: keptFromOf(this.rules.limit(environmentId, now)),
      highestSequence: this.highestSequence(environmentId),
      removals: this.removals.get(environmentId) ?? 0,
      generations: this.generations.get(environmentId) ?? 0
    }
  }

  /** Markers past retention are in no answer from now on. */
  retain(environmentId: number | null, rule: RetentionRule | null): void {
    this.rules.set(environmentId, rule)
  }

  /** Asks a question. */
  ask<Kind extends keyof StoreAnswers>(
    environmentId: number,
    question: StoreQuestionOf<Kind>,
    { budget, now = 0, organizationId = -environmentId }: Asking,
    done: (outcome: PoolAnswer<StoreAnswers[Kind]["answer"]>) => void
  ): Ticket {
    const terms = { budget, owner: organizationId, limit: this.rules.limit(environmentId, now) }
    return this.readers.ask<Kind>(environmentId, question, terms, (outcome) => {
      if (outcome._tag === "Answered") for (const message of outcome.meta.damaged) this.damages.report(message)
      done(outcome)
    })
  }

  /** The marker types of an environment and their names, of what is sealed and of what is not. */
  names(environmentId: number, done: (names: ReadonlyArray<TypeNames> | Failed) => void): void {
    this.writer.names(environmentId, done)
  }

  /** Moves the whole tail into segments, then compacts. */
  seal(done: (failure: Failed | null) => void): void {
    this.writer.run({ type: "seal" }, done)
  }

  /** Call it periodically: seals, compacts, drops old marker ids and what is past retention. */
  maintain(plan: MaintenancePlan, done: (failure: Failed | null) => void): void {
    const environments = plan.retention.map(({ environmentId }) => environmentId)
    this.writer.run({ type: "maintain", plan }, this.removing(environments, done))
  }

  /**
   * Removes every trace of a unit: its markers, sessions, cohort stays and name. The record stays. `done` gets what could not be read, null
   * when everything could.
   */
  eraseUnit(
    environmentId: number,
    unitId: string,
    done: (outcome: Failed | Incomplete | null) => void,
    record: ErasureRecord | null = null
  ): void {
    this.erasures.begin(environmentId)
    const erased = (outcome: Failed | Incomplete | null) => {
      this.erasures.end(environmentId)
      done(outcome)
    }
    this.writer.erase({ environmentId, unitId, record }, this.removing([environmentId], erased))
  }

  /** Calls `done` once no unit of the environment is being erased: what is read meanwhile may still have one of them. */
  whenNobodyIsErased(environmentId: number, done: () => void): void {
    this.erasures.whenNothing(environmentId, done)
  }

  /** Writes down that units were erased, and erases nothing. */
  noteErasures(erasures: ReadonlyArray<KnownErasure>, done: (failure: Failed | null) => void): void {
    this.writer.run({ type: "noteErasures", erasures }, done)
  }

  /** Writes down what the metadata's file knows. */
  note(note: PartnerNote, done: (failure: Failed | null) => void): void {
    this.writer.run({ type: "note", note }, done)
  }

  /** Removes everything stored for the environments. */
  drop(environmentIds: ReadonlyArray<number>, done: (failure: Failed | null) => void): void {
    this.writer.run({ type: "drop", environmentIds }, this.removing(environmentIds, done))
  }

  /** Applies the change if the cohort's members are still those that it was computed from. */
  swapMembers(environmentId: number, change: MemberChange, done: (outcome: Swapped) => void): void {
    this.writer.swapMembers(environmentId, change, (outcome) => {
      if (outcome._tag === "Stored" && change.entered.length + change.nameCount + change.left.length > 0)
        this.generations.set(environmentId, (this.generations.get(environmentId) ?? 0) + 1)
      done(outcome)
    })
  }

  /** Removes a cohort's members and their history. */
  removeMembers(environmentId: number, cohortId: number, done: (failure: Failed | null) => void): void {
    this.writer.run({ type: "removeMembers", environmentId, cohortId }, (failure) => {
      this.generations.set(environmentId, (this.generations.get(environmentId) ?? 0) + 1)
      done(failure)
    })
  }

  /** What keeps the file from taking writes, found by a write that changes nothing. */
  problems(done: OnProblems): void {
    this.writer.probe((problems) => done([...problems, ...damagedParts("events", this.damages.count)]))
  }

  close(done: () => void): void {
    let left = 2
    const closed = () => {
      left--
      if (left > 0) return
      this.held?.close()
      done()
    }
    this.readers.close(closed)
    this.writer.close(closed)
  }

  private grown(environmentId: number, last: number): void {
    this.highest.set(environmentId, Math.max(last, this.highestSequence(environmentId)))
  }

  /** Counts a removal before and after it, so that no answer computed meanwhile is cached as current. */
  private removing<Outcome>(environments: ReadonlyArray<number>, done: (outcome: Outcome) => void) {
    const count = () => {
      for (const id of environments) this.removals.set(id, (this.removals.get(id) ?? 0) + 1)
    }
    count()
    return (outcome: Outcome) => {
      count()
      done(outcome)
    }
  }
}
