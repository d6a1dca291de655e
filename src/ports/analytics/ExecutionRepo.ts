import type { DateTime, Effect, Option } from "effect"
import { Context } from "effect"
import type { Ending, Execution } from "../../domain/analytics/question/Execution.ts"
import type { ApplicationId, EnvironmentId, ExecutionId, QueryId } from "../../domain/Ids.ts"

/** A durable queue of executions. A state only ever changes from queued to running to an end, or to canceled before the end. */
export class ExecutionRepo extends Context.Tag("ports/analytics/ExecutionRepo")<
  ExecutionRepo,
  {
    readonly insert: (execution: Execution) => Effect.Effect<Execution>
    readonly find: (queryId: QueryId, id: ExecutionId) => Effect.Effect<Option.Option<Execution>>
    readonly findByKey: (
      queryId: QueryId,
      environmentId: EnvironmentId,
      idempotencyKey: string
    ) => Effect.Effect<Option.Option<Execution>>
    /** How many executions of the project are queued or running. */
    readonly unfinished: (applicationId: ApplicationId) => Effect.Effect<number>
    /** Marks a queued execution as running: of the project with the fewest running ones, the one asked for first. */
    readonly claim: (startedAt: DateTime.Utc) => Effect.Effect<Option.Option<Execution>>
    /** Ends a running execution; false, and nothing changes, when it is not running any more. */
    readonly finish: (id: ExecutionId, ending: Ending) => Effect.Effect<boolean>
    /** Ends a queued or running execution; none when it was not. */
    readonly cancel: (id: ExecutionId, finishedAt: DateTime.Utc) => Effect.Effect<Option.Option<Execution>>
    /** Puts every running execution back into the queue, in its old place. */
    readonly requeue: () => Effect.Effect<void>
    /** Removes what finished before. */
    readonly removeFinished: (before: DateTime.Utc) => Effect.Effect<void>
  }
>() {}
