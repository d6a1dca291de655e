import type { DateTime, Effect, Option } from "effect"
import { Context } from "effect"
import type { Ending, Execution } from "../../domain/analytics/question/Execution.ts"
import type { ApplicationId, EnvironmentId, ExecutionId, OrganizationId, QueryId } from "../../domain/Ids.ts"

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
     * Marks the next queued execution as running and claimed by the owner until an instant: of organizations that are not among those `served`
     * if there is any, from the project with the fewest running ones, the oldest. It counts as one attempt more. None when the queue is empty.
     */
    readonly claim: (
      startedAt: DateTime.Utc,
      owner: string,
      until: DateTime.Utc,
      served: ReadonlyArray<OrganizationId>
    ) => Effect.Effect<Option.Option<Execution>>
    /**
     * Extends the owner's claims of these executions, and notes how far they have come. Answers the executions that the owner still has: the
     * others were canceled, or their claim ran out and somebody else has taken them.
     */
    readonly renew: (
      owner: string,
      until: DateTime.Utc,
      progress: ReadonlyArray<Pick<Execution, "id" | "rowsScanned" | "rowsTotal">>
    ) => Effect.Effect<ReadonlyArray<ExecutionId>>
    /** Takes back that the owner's claim of a running execution counts as an attempt: its process is stopped in an orderly way. */
    readonly leave: (id: ExecutionId, owner: string) => Effect.Effect<void>
    /** Ends an execution that runs and that the owner has claimed; false, and nothing changes, when that is no longer so. */
    readonly finish: (id: ExecutionId, owner: string, ending: Ending) => Effect.Effect<boolean>
    /** Cancels a queued or running execution; none when it has ended already. */
    readonly cancel: (id: ExecutionId, finishedAt: DateTime.Utc) => Effect.Effect<Option.Option<Execution>>
    /**
     * Returns each running execution whose claim ran out before the instant, or lasts until later than anything is planned after it
     * (`isTimeCome`: a clock that was ahead made it), to its old place in the queue, and answers how many there were. A store that one process
     * has for itself lets every claim run out when it is opened.
     */
    readonly requeue: (before: DateTime.Utc) => Effect.Effect<number>
    /** Removes executions of the environment that have ended and whose result or definition, both JSON, passes the test. */
    readonly removeMentioning: (environmentId: EnvironmentId, test: (json: string) => boolean) => Effect.Effect<void>
    /** Removes executions that finished before the instant. */
    readonly removeFinished: (before: DateTime.Utc) => Effect.Effect<void>
  }
>() {}
