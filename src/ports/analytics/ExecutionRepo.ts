import type { DateTime, Effect, Option } from "effect"
import { Context } from "effect"
import type { Ending, Execution } from "../../domain/analytics/question/Execution.ts"
import type { ApplicationId, EnvironmentId, ExecutionId, QueryId } from "../../domain/Ids.ts"

/**
 * A durable queue of query executions. States change only from queued to running to finished or failed; before that, to
 * canceled.
 */
export class ExecutionRepo extends Context.Tag("ports/analytics/ExecutionRepo")<
  ExecutionRepo,
  {
    readonly insert: (execution: Execution) => Effect.Effect<Execution>
    readonly find: (queryId: QueryId, id: ExecutionId) => Effect.Effect<Option.Option<Execution>>
    /** The execution that was requested under this idempotency key. */
    readonly findByKey: (
      queryId: QueryId,
      environmentId: EnvironmentId,
      idempotencyKey: string
    ) => Effect.Effect<Option.Option<Execution>>
    /** The number of the project's executions that are queued or running. */
    readonly unfinished: (applicationId: ApplicationId) => Effect.Effect<number>
    /**
     * Marks the next queued execution as running: from the project with the fewest running ones, the oldest. None when
     * the queue is empty.
     */
    readonly claim: (startedAt: DateTime.Utc) => Effect.Effect<Option.Option<Execution>>
    /** Ends a running execution; false, and nothing changes, when it is not running any more. */
    readonly finish: (id: ExecutionId, ending: Ending) => Effect.Effect<boolean>
    /** Cancels a queued or running execution; none when it has ended already. */
    readonly cancel: (id: ExecutionId, finishedAt: DateTime.Utc) => Effect.Effect<Option.Option<Execution>>
    /**
     * Returns every running execution to its old place in the queue; called when the server starts, since nothing runs
     * then.
     */
    readonly requeue: () => Effect.Effect<void>
    /** Removes executions of the environment that have ended and whose result or definition, both JSON, passes the test. */
    readonly removeMentioning: (environmentId: EnvironmentId, test: (json: string) => boolean) => Effect.Effect<void>
    /** Removes executions that finished before the instant. */
    readonly removeFinished: (before: DateTime.Utc) => Effect.Effect<void>
  }
>() {}
