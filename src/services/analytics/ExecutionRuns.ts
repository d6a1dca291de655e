import { Cause, DateTime, Deferred, Duration, Effect, Either, Option, Schema } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import { InternalError, StoreUnavailable } from "../../../schema/RequestErrors.ts"
import { Forbidden } from "../../../schema/access/AccessErrors.ts"
import { QueryResult } from "../../../schema/analytics/Executions.ts"
import {
  type Ending,
  type Execution,
  maximumAttempts,
  type ScanProgress
} from "../../domain/analytics/question/Execution.ts"
import type { ExecutionId } from "../../domain/Ids.ts"
import { ExecutionRepo } from "../../ports/analytics/ExecutionRepo.ts"
import { SavedQueryRepo } from "../../ports/analytics/SavedQueryRepo.ts"
import { Peers } from "../../ports/operations/Peers.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { ErasedUnits } from "../operations/ErasedUnits.ts"
import { organizationRounds } from "../operations/OrganizationRounds.ts"
import { answersUnreachable, lacksAnswers, untilAnswered, untilMetadata } from "../Outages.ts"
import { makeWakeUp } from "../WakeUp.ts"
import { Credentials } from "../access/Credentials.ts"
import { TrustedClock } from "../operations/TrustedClock.ts"
import { WebhookQueue } from "../operations/WebhookQueue.ts"
import { LiveFeed } from "../live/LiveFeed.ts"
import { QueryRuns } from "./QueryRuns.ts"
import { QueryWatch } from "./QueryWatch.ts"
import { decodeDefinition } from "./SavedQueries.ts"

/** Executions that run at the same time. */
export const concurrency = 2

/** How long an execution counts as running in a process that no longer says so. */
const leaseTime = Duration.seconds(15)

const keptFor = Duration.days(7)

const isBusy = ({ _tag }: { readonly _tag: string }): boolean => _tag === "Overloaded" || _tag === "TooManyQueries"

interface Run {
  readonly execution: Execution
  readonly stop: Deferred.Deferred<void>
  readonly watched: Array<() => ScanProgress>
}

/** None when the attempt was interrupted, and therefore has not ended. */
type Outcome = Option.Option<Pick<Ending, "state" | "result" | "error">>

const encodeResult = Schema.encode(Schema.parseJson(QueryResult))

const gone = () => Effect.fail(new Forbidden({ message: "Who asked for this execution has no access any more" }))
const broken = new InternalError({ message: "The execution failed unexpectedly: the log of the server says more" })
const unreachable = new StoreUnavailable({
  message: `${answersUnreachable} for a minute: run the query again`
})
const cutOff = new InternalError({
  message: `The server ended, or stood still, ${maximumAttempts} times while this ran, and it is not tried again: it may need more memory than there is. Ask for a shorter time or fewer groups`
})

const sumOf = ({ watched }: Run): ScanProgress =>
  watched
    .map((look) => look())
    .reduce(
      (sum, each) => ({
        rowsScanned: sum.rowsScanned + each.rowsScanned,
        rowsTotal: sum.rowsTotal + Math.max(each.rowsTotal, each.rowsScanned)
      }),
      { rowsScanned: 0, rowsTotal: 0 }
    )

/** The background side of executions: takes them from the queue and runs them. It asks for no permission but the requester's. */
export class ExecutionRuns extends Effect.Service<ExecutionRuns>()("services/analytics/ExecutionRuns", {
  scoped: Effect.gen(function* () {
    const clock = yield* TrustedClock
    const executions = yield* ExecutionRepo
    const credentials = yield* Credentials
    const erased = yield* ErasedUnits
    const queries = yield* QueryRuns
    const transaction = yield* Transaction
    const live = yield* LiveFeed
    const peers = yield* Peers
    const rounds = yield* organizationRounds
    const webhooks = yield* WebhookQueue
    const savedQueries = yield* SavedQueryRepo
    const running = new Map<ExecutionId, Run>()
    const { wakeUp, requested } = yield* makeWakeUp(concurrency)

    const stop = (id: ExecutionId): void => {
      const own = running.get(id)
      running.delete(id)
      if (own !== undefined) Deferred.unsafeDone(own.stop, Effect.void)
    }
    yield* peers.hear((notice) => {
      if (notice.kind === "canceled") stop(notice.executionId)
    })

    const answer = Effect.fnUntraced(function* ({ requester, definition, attempts, ...where }: Execution) {
      if (attempts > maximumAttempts) return yield* Effect.fail(cutOff)
      const principal = yield* Effect.catchTag(credentials.present(requester), "Unauthenticated", gone)
      const asked = queries.run(where, yield* decodeDefinition(definition))
      const result = yield* untilAnswered(asked, isBusy).pipe(
        Effect.catchTag("ApplicationNotFound", gone),
        Effect.provideService(Principal, principal)
      )
      return yield* Effect.orDie(encodeResult(result))
    })

    const failureOf = ({ id }: Execution, cause: Cause.Cause<{ readonly code: string; readonly message: string }>) =>
      Either.match(Cause.failureOrCause(cause), {
        onLeft: ({ code, message }) => Effect.succeedSome({ code, message }),
        onRight: (defect) =>
          Cause.isInterruptedOnly(defect)
            ? Effect.succeedNone
            : Effect.as(
                Effect.logError(`Execution ${id} failed`, defect),
                Option.some(lacksAnswers(defect) ? unreachable : broken)
              )
      })

    const attempt = (execution: Execution) =>
      Effect.matchCauseEffect(untilMetadata(answer(execution)), {
        onSuccess: (result): Effect.Effect<Outcome> => Effect.succeedSome({ state: "succeeded", result, error: null }),
        onFailure: (cause) =>
          Effect.map(failureOf(execution, cause), (failure): Outcome =>
            Option.map(failure, (error) => ({ state: "failed", result: null, error }))
          )
      })

    const tell = Effect.fnUntraced(function* (
      { id, queryId, applicationId, environmentId }: Execution,
      { state, error, finishedAt }: Ending
    ) {
      const query = yield* savedQueries.find(applicationId, queryId)
      const name = Option.match(query, { onNone: () => null, onSome: (found) => found.name })
      yield* webhooks.tellOf(applicationId, {
        type: "query.finished",
        at: DateTime.toEpochMillis(finishedAt),
        environmentId,
        object: { kind: "savedQueries", id: queryId, name },
        more: { executionId: id, state, ...(error === null ? {} : { error: error.message }) }
      })
    })

    /** Ends the execution, unless a unit was erased from what it was computed from. */
    const finish = Effect.fnUntraced(
      function* (execution: Execution, ending: Ending, outdates: number) {
        if (erased.outdates(execution.environmentId) !== outdates) return false
        if (yield* executions.finish(execution.id, peers.name, ending)) yield* tell(execution, ending)
        return true
      },
      (effect) => untilMetadata(transaction.run(effect))
    )

    const follow = Effect.fnUntraced(function* (execution: Execution, own: Run): Effect.fn.Return<Ending | undefined> {
      const outdates = erased.outdates(execution.environmentId)
      const outcome = yield* attempt(execution).pipe(
        Effect.provideService(QueryWatch, (progress) => void own.watched.push(progress)),
        Effect.raceFirst(Effect.as(Deferred.await(own.stop), Option.none()))
      )
      if (Option.isNone(outcome)) return undefined
      const ending: Ending = { ...outcome.value, ...sumOf(own), finishedAt: yield* DateTime.now }
      return (yield* finish(execution, ending, outdates)) ? ending : yield* follow(execution, own)
    })

    const run = Effect.fnUntraced(function* (execution: Execution) {
      const own: Run = { execution, stop: yield* Deferred.make<void>(), watched: [] }
      running.set(execution.id, own)
      live.execution(execution, "running", execution)
      const ending = yield* Effect.ensuring(
        Effect.onInterrupt(follow(execution, own), () => executions.leave(execution.id, peers.name)),
        Effect.sync(() => running.delete(execution.id))
      )
      if (ending !== undefined) live.execution(execution, ending.state, ending)
    })

    /** Takes the execution whose turn it is, of an organization that has not had its turn if there is any. */
    const claim = Effect.fnUntraced(function* () {
      const now = yield* DateTime.now
      const until = DateTime.addDuration(now, leaseTime)
      const claimed = yield* executions.claim(now, peers.name, until, yield* rounds.served)
      if (Option.isSome(claimed)) yield* rounds.serve(claimed.value.applicationId)
      return claimed
    })

    /** Runs the execution whose turn it is; false when none waits. Interrupted, it stays running, to be run again after `recover`. */
    const runNext = Effect.fnUntraced(function* () {
      const claimed = yield* claim()
      if (Option.isSome(claimed)) yield* run(claimed.value)
      return Option.isSome(claimed)
    })

    /** Queues executions again whose process is gone. */
    const recover = Effect.fnUntraced(function* () {
      if ((yield* executions.requeue(yield* DateTime.now)) > 0) wakeUp()
    })

    /** Renews the claims on the executions that run here and stores how far they are. Stops those that were canceled elsewhere. */
    const renew = Effect.fnUntraced(function* () {
      if (running.size === 0) return
      const until = DateTime.addDuration(yield* DateTime.now, leaseTime)
      const own = [...running.values()].map((run) => ({ id: run.execution.id, ...sumOf(run) }))
      const kept = new Set(yield* executions.renew(peers.name, until, own))
      for (const { id } of own) if (!kept.has(id)) stop(id)
    })

    /** Forgets what finished more than 7 days ago. */
    const sweep = Effect.fnUntraced(function* () {
      yield* executions.removeFinished(DateTime.subtractDuration(DateTime.unsafeMake(yield* clock.now), keptFor))
    })

    const progressOf = (execution: Execution): ScanProgress => {
      const own = running.get(execution.id)
      return own === undefined || execution.state !== "running" ? execution : sumOf(own)
    }

    /** Tells the live feed how far the running executions are. */
    const tellProgress = (): void => {
      for (const own of running.values()) live.execution(own.execution, "running", sumOf(own))
    }

    return { runNext, recover, renew, sweep, wakeUp: Effect.sync(wakeUp), requested, progressOf, tellProgress } as const
  })
}) {}
