import { Cause, Clock, DateTime, Deferred, Effect, Either, Option, Queue, Schedule } from "effect"
import type { QueryInvalid, ReferenceInvalid, TimeRangeInvalid } from "../../schema/AnalyticsErrors.ts"
import { abandoned, type Cohort, computed, demanded, failed, hastened, started } from "../domain/cohorts/Cohort.ts"
import type { CohortId } from "../domain/Ids.ts"
import { CohortMembers, type Generation } from "../ports/CohortMembers.ts"
import { CohortRepo } from "../ports/CohortRepo.ts"
import { EventStore, type QueryTimedOut, type StoreFull, type StoreOverloaded } from "../ports/EventStore.ts"
import { Transaction } from "../ports/Transaction.ts"
import { CohortDefinitions } from "./CohortDefinitions.ts"
import { CohortWatch } from "./CohortWatch.ts"

/** Cohorts that are computed at the same time. */
export const concurrency = 2

/** A busy store is asked again for this long. */
const patience = Schedule.upTo(Schedule.spaced("1 second"), "1 minute")

/** Markers make a cohort be computed again only after this many times as long as its computing took. */
const restFactor = 20

interface Run {
  readonly stop: Deferred.Deferred<void>
  readonly ended: Deferred.Deferred<void>
}

type Failure = QueryTimedOut | StoreOverloaded | StoreFull | QueryInvalid | ReferenceInvalid | TimeRangeInvalid

type Named = Pick<Cohort, "id" | "environmentId">

const unexpected = "Computing failed unexpectedly: the log of the server says more"

const reasonOf = (failure: Failure): string => {
  switch (failure._tag) {
    case "QueryTimedOut":
      return "Computing took longer than a query may take: name less time or fewer conditions"
    case "StoreOverloaded":
      return "The server was too busy to compute the members"
    case "StoreFull":
      return "The disk of the server is full"
    default:
      return failure.message
  }
}

const cutShort = "The list of units was cut short: send it again"

/** What became of a computation; none when it was stopped or interrupted. */
type Outcome = Option.Option<Either.Either<Generation, string>>

/** The background side of cohorts: computes those that are due. The server's own work: it asks for no permission. */
export class CohortRuns extends Effect.Service<CohortRuns>()("services/CohortRuns", {
  effect: Effect.gen(function* () {
    const cohorts = yield* CohortRepo
    const members = yield* CohortMembers
    const definitions = yield* CohortDefinitions
    const watch = yield* CohortWatch
    const store = yield* EventStore
    const transaction = yield* Transaction
    const running = new Map<CohortId, Run>()
    const restsUntil = new Map<CohortId, number>()
    const bell = yield* Queue.sliding<void>(concurrency)
    const ring = Effect.asVoid(Queue.offer(bell, undefined))

    /** Changes the cohort as it then is; none when it is gone. */
    const change = (named: Named, transition: (cohort: Cohort) => Cohort) =>
      Effect.flatMap(
        cohorts.find(named.environmentId, named.id),
        Option.match({
          onNone: () => Effect.succeedNone,
          onSome: (cohort) => {
            const changed = transition(cohort)
            return changed === cohort ? Effect.succeedSome(cohort) : cohorts.update(changed)
          }
        })
      )

    const hasten = Effect.fnUntraced(function* (all: ReadonlyArray<Named>) {
      const now = yield* Clock.currentTimeMillis
      const at = (id: CohortId) => DateTime.unsafeMake(Math.max(now, restsUntil.get(id) ?? 0))
      yield* Effect.forEach(all, (named) => change(named, (cohort) => hastened(cohort, at(named.id))), {
        discard: true
      })
    })

    /** Those that refer to the cohort are to be computed after it. */
    const hastenDependents = Effect.fn("CohortRuns.hastenDependents")(function* ({ id, environmentId }: Named) {
      const all = yield* cohorts.list(environmentId)
      yield* hasten(all.filter(({ cohortIds }) => cohortIds.includes(id)))
    })

    /** Writes down what a computation of the present revision gave. */
    const record = Effect.fn("CohortRuns.record")(function* (before: Cohort, generation: Generation) {
      const at = DateTime.unsafeMake(generation.at)
      const after = computed(before, generation, at)
      yield* cohorts.update(after)
      const { entered, left, memberCount } = generation
      if (entered > 0 || left > 0 || memberCount !== before.memberCount || before.computedAt === null) {
        yield* cohorts.addRun(before.id, { at, memberCount, entered, left })
        yield* hastenDependents(before)
      }
      return after
    })

    const settle = Effect.fnUntraced(function* (run: Cohort, outcome: Outcome) {
      const now = yield* DateTime.now
      const present = yield* cohorts.find(run.environmentId, run.id)
      if (Option.isNone(present)) return
      const cohort = present.value
      if (Option.isNone(outcome) || cohort.revision !== run.revision) {
        yield* cohorts.update(abandoned(cohort, now))
      } else if (Either.isLeft(outcome.value)) {
        yield* cohorts.update(failed(cohort, outcome.value.left, now))
      } else {
        yield* record(cohort, outcome.value.right)
      }
    })

    const compute = Effect.fnUntraced(function* ({ id, environmentId, definition }: Cohort) {
      const { now, plan } = yield* definitions.plan(environmentId, yield* definitions.decode(definition ?? ""))
      return yield* Effect.retry(members.recompute(environmentId, id, plan, now), {
        schedule: patience,
        while: ({ _tag }) => _tag === "StoreOverloaded"
      })
    })

    const outcomeOf = (cohort: Cohort) =>
      Effect.matchCauseEffect(compute(cohort), {
        onSuccess: (generation): Effect.Effect<Outcome> => Effect.succeedSome(Either.right(generation)),
        onFailure: (cause): Effect.Effect<Outcome> => {
          if (Cause.isInterruptedOnly(cause)) return Effect.succeedNone
          const failure = Cause.failureOption(cause)
          return Option.isSome(failure)
            ? Effect.succeedSome(Either.left(reasonOf(failure.value)))
            : Effect.as(Effect.logError("A cohort could not be computed", cause), Option.some(Either.left(unexpected)))
        }
      })

    const run = Effect.fnUntraced(function* (cohort: Cohort, own: Run) {
      const begun = yield* Clock.currentTimeMillis
      const outcome = yield* Effect.raceFirst(outcomeOf(cohort), Effect.as(Deferred.await(own.stop), Option.none()))
      const ended = yield* Clock.currentTimeMillis
      restsUntil.set(cohort.id, ended + restFactor * (ended - begun))
      yield* transaction.run(settle(cohort, outcome))
      yield* ring
    })

    /** Marks the cohort whose turn it is as being computed, so that nobody else takes it. */
    const claim = Effect.fnUntraced(function* () {
      const now = yield* DateTime.now
      const due = yield* cohorts.nextDue(now)
      if (Option.isNone(due)) return Option.none()
      const own: Run = { stop: yield* Deferred.make<void>(), ended: yield* Deferred.make<void>() }
      const cohort = started(due.value, now)
      yield* cohorts.update(cohort)
      running.set(cohort.id, own)
      return Option.some({ cohort, own })
    })

    /** Computes the cohort that is due for longest; false when none is. Interrupted, it is computed again after `recover`. */
    const runNext = Effect.fn("CohortRuns.runNext")(function* () {
      if (Option.isNone(yield* cohorts.nextDue(yield* DateTime.now))) return false
      const claimed = yield* transaction.run(claim())
      if (Option.isNone(claimed)) return false
      const { cohort, own } = claimed.value
      const leave = Effect.zipRight(
        Effect.sync(() => running.delete(cohort.id)),
        Deferred.succeed(own.ended, undefined)
      )
      yield* Effect.ensuring(run(cohort, own), leave)
      return true
    })

    /** Stops what was begun before the cohort changed, and waits until it can write nothing more. */
    const overtake = Effect.fn("CohortRuns.overtake")(function* (id: CohortId) {
      restsUntil.delete(id)
      const own = running.get(id)
      if (own === undefined) return
      yield* Deferred.succeed(own.stop, undefined)
      yield* Deferred.await(own.ended)
    })

    /** Has the cohort computed as soon as possible, whatever happened to it before. */
    const demand = Effect.fn("CohortRuns.demand")(function* (named: Named) {
      const now = yield* DateTime.now
      const isStatic = ({ kind }: Cohort) => kind === "static"
      yield* transaction.run(change(named, (cohort) => (isStatic(cohort) ? cohort : demanded(cohort, now))))
      yield* ring
    })

    /** Takes over from an earlier process: what it left unfinished is due, and so is what has not seen all markers. */
    const recover = Effect.fn("CohortRuns.recover")(function* () {
      const now = yield* DateTime.now
      for (const cohort of yield* cohorts.every) {
        const { highestSequence } = yield* store.version(cohort.environmentId)
        const isBehind = highestSequence !== cohort.highestSequence
        if (cohort.kind === "static" && cohort.status === "computing")
          yield* cohorts.update(failed(cohort, cutShort, now))
        else if (cohort.startedAt !== null) yield* cohorts.update(abandoned(cohort, now))
        else if (cohort.kind === "dynamic" && isBehind) yield* cohorts.update(hastened(cohort, now))
      }
    })

    /** Cohorts that name markers which have arrived since are due. */
    const notice = Effect.fn("CohortRuns.notice")(function* () {
      const noticed = yield* watch.taken
      yield* transaction.run(hasten(noticed))
      yield* ring
    })

    return {
      runNext,
      overtake,
      demand,
      record,
      hastenDependents,
      recover,
      notice,
      ring,
      rung: Queue.take(bell)
    } as const
  })
}) {}
