import { Context, Data } from "effect"
import type { Effect } from "effect"
import type { Event } from "../../domain/analytics/markers/Event.ts"
import type { ScanProgress } from "../../domain/analytics/question/Execution.ts"
import type {
  AnswerMeta,
  Answers,
  DataVersion,
  Incomplete,
  QuestionKind,
  QuestionOf
} from "../../domain/analytics/question/Question.ts"
import type { RetentionLimit, RetentionRule } from "../../domain/analytics/markers/RetentionRule.ts"
import type { TypeNames } from "../../domain/ingest/NamesByType.ts"
import type { OnReceived, UnreadBatch } from "../../domain/ingest/UnreadBatch.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import type { StoreProblem } from "../../domain/operations/StoreProblem.ts"

/** Too much work is waiting; the same request may succeed a moment later. */
export class StoreOverloaded extends Data.TaggedError("StoreOverloaded") {
  override readonly message = "Too much work is waiting"
}

/** The disk is full; nothing of the request was stored. */
export class StoreFull extends Data.TaggedError("StoreFull") {
  override readonly message = "The disk is full"
}

/** The files of the stores were deleted, moved or replaced while the server has them open, so that nothing can be stored; a defect. */
export class StoreLost extends Data.TaggedError("StoreLost") {
  override readonly message = "The data folder or a file of it was deleted, moved or replaced"
}

/** Too many questions of the same organization are waiting; the same one may succeed a moment later. */
export class TooManyQuestions extends Data.TaggedError("TooManyQuestions") {
  override readonly message = "Too many questions of the organization are waiting"
}

/** A question exceeded its time budget, in which waiting for its turn does not count. */
export class QueryTimedOut extends Data.TaggedError("QueryTimedOut") {
  override readonly message = "The question took longer than it may"
}

/** Markers that the answer needs cannot be read, because the file is damaged. */
export class StoreDamaged extends Data.TaggedError("StoreDamaged") {
  override readonly message = "The file of the markers is damaged"
}

/** Why a question has no answer. */
export type NoAnswer = QueryTimedOut | StoreOverloaded | TooManyQuestions | StoreDamaged

/** An answer, with what it cost and what it is based on. */
export interface Answered<Kind extends QuestionKind> {
  readonly answer: Answers[Kind]["answer"]
  readonly meta: AnswerMeta
}

/** Instants in epoch milliseconds. Of each environment named, every marker before its limit is gone within a day of reaching it. */
export interface MaintenancePlan {
  readonly now: number
  readonly retention: ReadonlyArray<RetentionLimit & { readonly environmentId: EnvironmentId }>
}

/** Receives a function that tells the question's progress; the function stays usable after the answer. */
export type ProgressListener = (progress: () => ScanProgress) => void

/**
 * The markers of all environments. The store answers questions instead of handing out rows, so that each store can
 * compute where its data is.
 */
export class EventStore extends Context.Tag("ports/analytics/EventStore")<
  EventStore,
  {
    /**
     * Stores the events durably, all or nothing, in their order of receipt; `receivedAt` is in epoch milliseconds. Succeeds with the
     * indexes of the duplicates, ascending: events whose marker id the environment received within the dedupe window, or earlier in
     * the same list. The first write wins.
     */
    readonly append: (
      environmentId: EnvironmentId,
      receivedAt: number,
      events: ReadonlyArray<Event>
    ) => Effect.Effect<ReadonlyArray<number>, StoreOverloaded | StoreFull>
    /**
     * Fast path for the body of an ingest request. If `plainBatch` can decide what becomes of its markers, the store appends them as `append`
     * does and calls `done` with the outcome once they are on disk. In every other case, failures included, it stores nothing and gives `done`
     * the body back, which the caller has to read. The store owns the bytes from the call on: the caller's view of them becomes empty. The
     * method is no Effect, because every ingest request calls it. Null for a store whose callers read all bodies themselves.
     */
    readonly receive: ((environmentId: EnvironmentId, unread: UnreadBatch, done: OnReceived) => void) | null
    /** Whether so much waits to be stored that the next `append` fails with `StoreOverloaded`. No Effect, because every ingest request asks. */
    readonly isOverloaded: () => boolean
    /**
     * Answers a question from one snapshot, which includes everything appended before. Organizations take turns. Interruption cancels
     * the question.
     */
    readonly ask: <Kind extends QuestionKind>(
      environmentId: EnvironmentId,
      question: QuestionOf<Kind>,
      watch?: ProgressListener
    ) => Effect.Effect<Answered<Kind>, NoAnswer>
    /**
     * The marker types of the environment, and the names that their arguments and properties have in what was appended so far;
     * those of erased markers may be among them.
     */
    readonly names: (environmentId: EnvironmentId) => Effect.Effect<ReadonlyArray<TypeNames>>
    /**
     * From now on markers past retention are in no answer, the catalogue of types, names and values aside. An environment without a rule
     * of its own (null) has the one of `environmentId` null; without that, everything is kept. Forgotten when the process ends.
     */
    readonly retain: (environmentId: EnvironmentId | null, rule: RetentionRule | null) => Effect.Effect<void>
    /** Puts the store in order and drops what is past retention; to be called now and then. Writes go on meanwhile. */
    readonly maintain: (plan: MaintenancePlan) => Effect.Effect<void>
    /**
     * Removes every marker of a unit, its name and the sessions that only it had, so that no byte of them remains on
     * disk. Answers which markers could not be read because the file is damaged, some of which may be the unit's.
     */
    readonly erase: (environmentId: EnvironmentId, unitId: string) => Effect.Effect<Incomplete | null>
    /**
     * Removes everything stored for the environments, including cohort members. They must be gone from the metadata:
     * asking about them afterwards is undefined.
     */
    readonly drop: (environmentIds: ReadonlyArray<EnvironmentId>) => Effect.Effect<void>
    /**
     * While it stays the same, so does the answer to every question. It changes before the write that changes it is
     * acknowledged.
     */
    readonly version: (environmentId: EnvironmentId) => Effect.Effect<DataVersion>
    /** What is wrong with the store right now, as a write that changes nothing finds out. It waits for the present commit at most, never for questions. */
    readonly problems: Effect.Effect<ReadonlyArray<StoreProblem>>
    /** The same for the log, if events are stored in one first and `append` needs nothing else; null where it needs the whole store. */
    readonly logProblems: Effect.Effect<ReadonlyArray<StoreProblem>> | null
  }
>() {}
