import { DateTime, Effect, Option, Schema } from "effect"
import { Overloaded } from "../../../schema/RequestErrors.ts"
import { ExecutionFinished, ExecutionNotFound } from "../../../schema/analytics/AnalyticsErrors.ts"
import { Principal } from "../../../schema/access/Auth.ts"
import { QueryResult } from "../../../schema/analytics/Executions.ts"
import type { ExecutionRequested, ExecutionState, RequestExecution } from "../../../schema/analytics/Executions.ts"
import { type Execution, requesterOf } from "../../domain/analytics/question/Execution.ts"
import type { SavedQuery } from "../../domain/analytics/question/SavedQuery.ts"
import { type ApplicationId, type EnvironmentId, ExecutionId, type QueryId } from "../../domain/Ids.ts"
import { ExecutionRepo } from "../../ports/analytics/ExecutionRepo.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { Peers } from "../../ports/operations/Peers.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { ExecutionRuns } from "./ExecutionRuns.ts"
import { Policy } from "../access/Policy.ts"
import { LiveFeed } from "../live/LiveFeed.ts"
import { SavedQueries } from "./SavedQueries.ts"

/** Executions of one project that may be queued or running. */
export const maximumUnfinished = 100

const unstarted = {
  state: "queued",
  rowsScanned: 0,
  rowsTotal: 0,
  result: null,
  error: null,
  attempts: 0,
  startedAt: null,
  finishedAt: null
} as const

const decodeResult = Schema.decode(Schema.parseJson(QueryResult))

interface Named {
  readonly applicationId: ApplicationId
  readonly queryId: QueryId
  readonly executionId: ExecutionId
}

/** Saved queries run in the background: asked for, looked at, canceled. */
export class Executions extends Effect.Service<Executions>()("services/analytics/Executions", {
  effect: Effect.gen(function* () {
    const executions = yield* ExecutionRepo
    const peers = yield* Peers
    const transaction = yield* Transaction
    const secrets = yield* Secrets
    const policy = yield* Policy
    const queries = yield* SavedQueries
    const runs = yield* ExecutionRuns
    const live = yield* LiveFeed

    const stateOf = Effect.fnUntraced(function* (execution: Execution) {
      const { id, state, result, error, requestedAt, startedAt, finishedAt } = execution
      const { rowsScanned, rowsTotal } = runs.progressOf(execution)
      return {
        executionId: id,
        state,
        progress: { rowsScanned, rowsTotal },
        ...(result === null ? {} : { result: yield* Effect.orDie(decodeResult(result)) }),
        ...(error === null ? {} : { error }),
        requestedAt,
        startedAt,
        finishedAt
      } satisfies ExecutionState
    })

    const known = (queryId: QueryId, environmentId: EnvironmentId, key: string | null) =>
      key === null ? Effect.succeedNone : executions.findByKey(queryId, environmentId, key)

    const enqueue = Effect.fnUntraced(function* (
      { id: queryId, applicationId, definition }: SavedQuery,
      environmentId: EnvironmentId,
      idempotencyKey: string | null
    ) {
      const earlier = yield* known(queryId, environmentId, idempotencyKey)
      if (Option.isSome(earlier)) return earlier.value
      if ((yield* executions.unfinished(applicationId)) >= maximumUnfinished) {
        const message = `This project has ${maximumUnfinished} executions waiting: ask again when some have finished`
        return yield* Effect.fail(new Overloaded({ message }))
      }
      return yield* executions.insert({
        ...unstarted,
        id: ExecutionId.make(yield* secrets.uuid),
        queryId,
        applicationId,
        environmentId,
        idempotencyKey,
        requester: requesterOf(yield* Principal),
        definition,
        requestedAt: yield* DateTime.now
      })
    })

    const request = Effect.fnUntraced(function* (
      where: { readonly applicationId: ApplicationId; readonly environmentId: EnvironmentId },
      queryId: QueryId,
      asked: RequestExecution
    ) {
      const { environment } = yield* policy.environment("analytics:read", where.applicationId, where.environmentId)
      const key = asked?.idempotencyKey ?? null
      const asking = Effect.flatMap(queries.found(where.applicationId, queryId), (query) =>
        Effect.zipLeft(enqueue(query, environment.id, key), queries.noteRun(query))
      )
      const execution = yield* transaction.run(asking)
      const { id, state } = execution
      if (state === "queued") live.execution(execution, state, execution)
      yield* runs.wakeUp
      return { executionId: id, state } satisfies ExecutionRequested
    })

    /** The environment may be named; the credential has to cover that of the execution in any case. */
    const found = Effect.fnUntraced(function* (
      { applicationId, queryId, executionId }: Named,
      environmentId: EnvironmentId
    ) {
      if (environmentId === undefined) yield* policy.application("analytics:read", applicationId)
      else yield* policy.environment("analytics:read", applicationId, environmentId)
      yield* queries.found(applicationId, queryId)
      const missing = new ExecutionNotFound({ message: `Execution ${executionId} of this query does not exist` })
      const execution = yield* Effect.mapError(yield* executions.find(queryId, executionId), () => missing)
      if (environmentId !== undefined && execution.environmentId !== environmentId) return yield* Effect.fail(missing)
      yield* policy.environment("analytics:read", applicationId, execution.environmentId)
      return execution
    })

    const state = Effect.fnUntraced(function* (named: Named, environmentId: EnvironmentId) {
      return yield* stateOf(yield* found(named, environmentId))
    })

    const cancel = Effect.fnUntraced(function* (named: Named, environmentId: EnvironmentId) {
      const { id } = yield* found(named, environmentId)
      const finished = new ExecutionFinished({ message: `Execution ${id} has finished already` })
      const now = yield* DateTime.now
      const step = Effect.zipLeft(executions.cancel(id, now), peers.tell({ kind: "canceled", executionId: id }))
      const canceled = yield* Effect.mapError(yield* Effect.uninterruptible(transaction.run(step)), () => finished)
      live.execution(canceled, canceled.state, canceled)
      return yield* stateOf(canceled)
    })

    return { request, state, cancel } as const
  })
}) {}
