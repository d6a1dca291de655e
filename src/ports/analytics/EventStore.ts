import { Context, Data } from "effect"
import type { Effect } from "effect"
import type { Event } from "../../domain/analytics/markers/Event.ts"
import type { Progress } from "../../domain/analytics/question/Execution.ts"
import type {
  AnswerMeta,
  Answers,
  DataVersion,
  QuestionKind,
  QuestionOf
} from "../../domain/analytics/question/Question.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"

/** More work waits than the store takes; the same request may succeed a moment later. */
export class StoreOverloaded extends Data.TaggedError("StoreOverloaded") {}

/** The disk has no room; nothing of the request was stored. */
export class StoreFull extends Data.TaggedError("StoreFull") {}

/** A question used up its time budget, waiting included. */
export class QueryTimedOut extends Data.TaggedError("QueryTimedOut") {}

export interface Answered<Kind extends QuestionKind> {
  readonly answer: Answers[Kind]["answer"]
  readonly meta: AnswerMeta
}

/** Instants in epoch milliseconds. Of each environment named, markers before the instant may go; whole blocks of them do. */
export interface MaintenancePlan {
  readonly now: number
  readonly retention: ReadonlyArray<{ readonly environmentId: EnvironmentId; readonly before: number }>
}

/** Given a way to look how far the question is, once it has been taken; the way stays good after the answer. */
export type Watch = (progress: () => Progress) => void

/** Markers of every environment: taken in once, then asked about. It answers questions; it hands out no rows to compute with. */
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
    /** Answers from one snapshot that holds everything appended before. Interruption cancels the question, watched or not. */
    readonly ask: <Kind extends QuestionKind>(
      environmentId: EnvironmentId,
      question: QuestionOf<Kind>,
      watch?: Watch
    ) => Effect.Effect<Answered<Kind>, QueryTimedOut | StoreOverloaded>
    /** Puts the store in order and drops what is past retention; to be called now and then. Writes go on meanwhile. */
    readonly maintain: (plan: MaintenancePlan) => Effect.Effect<void>
    /** Removes every marker of a unit, its name and the sessions that were only its own, so that no byte of them stays on disk. */
    readonly erase: (environmentId: EnvironmentId, unitId: string) => Effect.Effect<void>
    /** Removes all there is of environments, members of their cohorts too: of ones that are gone and about which nobody asks again. */
    readonly drop: (environmentIds: ReadonlyArray<EnvironmentId>) => Effect.Effect<void>
    /** While it stays the same, so does the answer to any question; it changes no later than what changes it is acknowledged. */
    readonly version: (environmentId: EnvironmentId) => Effect.Effect<DataVersion>
  }
>() {}
