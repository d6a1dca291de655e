import { Cause, Clock, DateTime, Deferred, Duration, Effect, Either, Option } from "effect"
import type { QueryInvalid, ReferenceInvalid, TimeRangeInvalid } from "../../../schema/analytics/AnalyticsErrors.ts"
import { abandoned, type Cohort, failed, isSameRun } from "../../domain/cohorts/Cohort.ts"
import type { CohortId } from "../../domain/Ids.ts"
import { CohortMembers, type Generation, type MembersOvertaken } from "../../ports/cohorts/CohortMembers.ts"
import { CohortRepo } from "../../ports/cohorts/CohortRepo.ts"
import type { NoAnswer, StoreFull } from "../../ports/analytics/EventStore.ts"
import { Peers } from "../../ports/operations/Peers.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { organizationRounds } from "../operations/OrganizationRounds.ts"
import { answersUnreachable, lacksAnswers, untilAnswered, untilMetadata } from "../Outages.ts"
import { WebhookQueue } from "../operations/WebhookQueue.ts"
import { CohortDefinitions } from "./CohortDefinitions.ts"
import { LiveFeed } from "../live/LiveFeed.ts"
import { CohortQueue } from "./CohortQueue.ts"

/** How long a cohort counts as computed by a process that no longer says so. */
const leaseTime = Duration.seconds(15)

type Failure = MembersOvertaken | NoAnswer | StoreFull | QueryInvalid | ReferenceInvalid | TimeRangeInvalid

const isBusy = ({ _tag }: Failure): boolean => _tag === "StoreOverloaded" || _tag === "TooManyQuestions"

const unexpected = "Computing failed unexpectedly: the log of the server says more"

const unreachable = `${answersUnreachable} for a minute`

const reasonOf = (failure: Failure): string => {
  switch (failure._tag) {
    case "QueryTimedOut":
      return "Computing took longer than a query may take: name shorter times or fewer conditions"
    case "StoreOverloaded":
    case "TooManyQuestions":
      return "The server was too busy to compute the members"
    case "StoreDamaged":
      return "Markers that the cohort needs cannot be read, because the store is damaged: the log of the server names them"
    case "StoreFull":
      return "The disk of the server is full"
    default:
      return failure.message
  }
}

interface Run {
  readonly revision: number
  readonly stop: Deferred.Deferred<void>
  readonly ended: Deferred.Deferred<void>
}

/** What a computation gave, or why it failed; none when it was stopped. */
type Outcome = Option.Option<Either.Either<Generation, string>>

/** The background side of cohorts: computes those that are due. The server's own work: it asks for no permission. */
export class CohortRuns extends Effect.Service<CohortRuns>()("services/cohorts/CohortRuns", {
  scoped: Effect.gen(function* () {
    const cohorts = yield* CohortRepo
    const members = yield* CohortMembers
    const definitions = yield* CohortDefinitions
    const queue = yield* CohortQueue
    const webhooks = yield* WebhookQueue
    const transaction = yield* Transaction
    const live = yield* LiveFeed
    const peers = yield* Peers
    const rounds = yield* organizationRounds
    const running = new Map<CohortId, Run>()

    yield* peers.hear((notice) => {
      if (notice.kind !== "cohort") return
      const own = running.get(notice.cohortId)
      if (own !== undefined && own.revision !== notice.revision) Deferred.unsafeDone(own.stop, Effect.void)
    })

    /** Whether nobody has changed the cohort or begun to compute it anew since. */
    const isCurrent = (begun: Cohort) =>
      Effect.map(
        cohorts.find(begun.environmentId, begun.id),
        Option.exists((present) => isSameRun(begun, present))
      )

    const compute = Effect.fnUntraced(function* (cohort: Cohort) {
      const { id, environmentId, definition } = cohort
      const { now, plan } = yield* definitions.plan(environmentId, yield* definitions.decode(definition ?? ""))
      return yield* untilAnswered(members.recompute(environmentId, id, plan, now, isCurrent(cohort)), isBusy)
    })

    const failureOf = ({ id }: Cohort, cause: Cause.Cause<Failure>): Effect.Effect<Outcome> => {
      if (Cause.isInterruptedOnly(cause)) return Effect.succeedNone
      const failure = Cause.failureOption(cause)
      if (Option.isSome(failure) && failure.value._tag === "MembersOvertaken") return Effect.succeedNone
      return Option.isSome(failure)
        ? Effect.succeedSome(Either.left(reasonOf(failure.value)))
        : Effect.as(
            Effect.logError(`Cohort ${id} could not be computed`, cause),
            Option.some(Either.left(lacksAnswers(cause) ? unreachable : unexpected))
          )
    }

    const attempt = (cohort: Cohort) =>
      Effect.matchCauseEffect(untilMetadata(compute(cohort)), {
        onSuccess: (generation): Effect.Effect<Outcome> => Effect.succeedSome(Either.right(generation)),
        onFailure: (cause) => failureOf(cohort, cause)
      })

    const tell = (
      { applicationId, environmentId, id, name }: Cohort,
      type: string,
      at: DateTime.Utc,
      more: { readonly [key: string]: string | number }
    ) =>
      webhooks.tellOf(applicationId, {
        type,
        at: DateTime.toEpochMillis(at),
        environmentId,
        object: { kind: "cohorts", id: String(id), name },
        more
      })

    /**
     * Tells only of the first failure: the cohort is tried again by itself, and that it fails once more is no news. Nobody was told of a computation that
     * the server has not outlived, which counts as a failure too.
     */
    const tellFailed = Effect.fnUntraced(function* ({ status }: Cohort, after: Cohort) {
      if (status === "failed") return
      yield* tell(after, "cohort.failed", yield* DateTime.now, { error: after.error ?? unexpected })
    })

    /** Writes the outcome, unless the cohort has changed since: then its change has said when it is due. */
    const settle = Effect.fnUntraced(function* (begun: Cohort, outcome: Outcome, took: number) {
      const now = yield* DateTime.now
      const present = yield* cohorts.find(begun.environmentId, begun.id)
      if (Option.isNone(present) || !isSameRun(begun, present.value)) return
      const cohort = queue.rested(present.value, now, took)
      if (Option.isNone(outcome)) yield* cohorts.update(abandoned(cohort, now))
      else if (Either.isRight(outcome.value)) {
        const { memberCount, entered, left } = outcome.value.right
        yield* queue.record(cohort, outcome.value.right)
        yield* tell(cohort, "cohort.computed", now, { memberCount, entered, left })
      } else {
        const after = failed(cohort, outcome.value.left, now)
        yield* cohorts.update(after)
        yield* tellFailed(cohort, after)
      }
    })

    const run = Effect.fnUntraced(function* (cohort: Cohort, own: Run) {
      const begun = yield* Clock.currentTimeMillis
      const outcome = yield* Effect.raceFirst(attempt(cohort), Effect.as(Deferred.await(own.stop), Option.none()))
      const ended = yield* Clock.currentTimeMillis
      yield* untilMetadata(transaction.run(settle(cohort, outcome, ended - begun)))
      if (live.of(cohort.environmentId) !== undefined) {
        Option.map(yield* cohorts.find(cohort.environmentId, cohort.id), live.cohort)
      }
      yield* queue.wakeUp
    })

    /** Marks the cohort whose turn it is as being computed here, so that nobody else takes it. */
    const claim = Effect.fnUntraced(function* () {
      const [stop, ended] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const now = yield* DateTime.now
      const until = DateTime.addDuration(now, leaseTime)
      const claimed = yield* cohorts.claim(now, peers.name, until, yield* rounds.served, tellFailed)
      return Option.map(claimed, (cohort) => {
        const own: Run = { revision: cohort.revision, stop, ended }
        running.set(cohort.id, own)
        return { cohort, own }
      })
    })

    /** Renews the claims on the cohorts that are computed here. Stops those that somebody has changed or another process has taken over. */
    const renew = Effect.fnUntraced(function* () {
      if (running.size === 0) return
      const until = DateTime.addDuration(yield* DateTime.now, leaseTime)
      const before = new Map(running)
      const kept = new Set(yield* cohorts.renew(peers.name, until, [...before.keys()]))
      for (const [id, own] of before) if (!kept.has(id)) Deferred.unsafeDone(own.stop, Effect.void)
    })

    /**
     * Computes the cohort that is due for longest, of an organization that has not had its turn if there is any; false when none is.
     * Interrupted, it is computed again after a recovery.
     */
    const runNext = Effect.fnUntraced(function* () {
      // After a leap of the clock, or a halt of the process, what is computed here would look as if its process were gone.
      yield* renew()
      if (!(yield* cohorts.isAnyDue(yield* DateTime.now))) return false
      const claimed = yield* claim()
      if (Option.isNone(claimed)) return false
      const { cohort, own } = claimed.value
      live.cohort(cohort)
      const forget = Effect.sync(() => {
        if (running.get(cohort.id) === own) running.delete(cohort.id)
      })
      // A server that is stopped in an orderly way has not failed to compute it.
      const leave = transaction.run(settle(cohort, Option.none(), 0))
      const inTurn = Effect.onInterrupt(
        Effect.zipRight(rounds.serve(cohort.applicationId), run(cohort, own)),
        () => leave
      )
      yield* Effect.ensuring(inTurn, Effect.zipRight(forget, Deferred.succeed(own.ended, undefined)))
      return true
    })

    /** Stops what was begun before the cohort changed, and waits until it can write nothing more. */
    const overtake = Effect.fnUntraced(function* (id: CohortId) {
      const own = running.get(id)
      if (own !== undefined) {
        yield* Deferred.succeed(own.stop, undefined)
        yield* Deferred.await(own.ended)
      }
    })

    return { runNext, overtake, renew } as const
  })
}) {}
