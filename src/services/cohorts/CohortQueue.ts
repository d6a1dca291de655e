import { DateTime, Effect, Option } from "effect"
import { type Cohort, type CohortOutline, computed, demanded, failed, hastened } from "../../domain/cohorts/Cohort.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import type { Generation } from "../../ports/cohorts/CohortMembers.ts"
import { CohortRepo } from "../../ports/cohorts/CohortRepo.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { Turns } from "../../ports/operations/Turns.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { makeWakeUp } from "../WakeUp.ts"
import { CohortWatch } from "./CohortWatch.ts"

/** Cohorts that are computed at the same time. */
export const concurrency = 2

/** After a computation, markers that arrive make the cohort due again only after this many times as long as it took. */
const restFactor = 20

/** The name of the turn in which the cohorts of an environment are changed. */
export const cohortsOf = (environmentId: EnvironmentId): string => `cohorts:${environmentId}`

const cutShort = "The list of units was cut short: send it again"

type Named = Pick<Cohort, "id" | "environmentId">

/** When cohorts are to be computed, and what came of it. The server's own work: it asks for no permission. */
export class CohortQueue extends Effect.Service<CohortQueue>()("services/cohorts/CohortQueue", {
  effect: Effect.gen(function* () {
    const cohorts = yield* CohortRepo
    const watch = yield* CohortWatch
    const store = yield* EventStore
    const transaction = yield* Transaction
    const turns = yield* Turns
    const { wakeUp, requested } = yield* makeWakeUp(concurrency)

    /** Changes the cohort as it then is; nothing when it is gone. */
    const change = Effect.fnUntraced(function* (named: Named, transition: (cohort: Cohort) => Cohort) {
      const found = yield* cohorts.find(named.environmentId, named.id)
      if (Option.isNone(found)) return
      const changed = transition(found.value)
      if (changed !== found.value) yield* cohorts.update(changed)
    })

    const hastenRested = Effect.fnUntraced(function* (all: ReadonlyArray<Named>) {
      const now = yield* DateTime.now
      const rested = (cohort: Cohort) => hastened(cohort, DateTime.max(now, cohort.restsUntil ?? now))
      yield* Effect.forEach(all, (named) => change(named, rested), { discard: true })
    })

    /** Makes the cohorts due that refer to this one, so that they are computed after it. */
    const hastenDependents = Effect.fnUntraced(function* ({ id, environmentId }: Named) {
      const now = yield* DateTime.now
      const dependents = (yield* cohorts.outlines(environmentId)).filter(({ cohortIds }) => cohortIds.includes(id))
      yield* Effect.forEach(dependents, (named) => change(named, (cohort) => hastened(cohort, now)), { discard: true })
    })

    /** Writes down what a computation of the present revision gave. */
    const record = Effect.fnUntraced(function* (before: Cohort, generation: Generation) {
      const { memberCount, entered, left } = generation
      const at = DateTime.unsafeMake(generation.at)
      const after = computed(before, generation, at)
      yield* cohorts.update(after)
      if (entered > 0 || left > 0 || memberCount !== before.memberCount || before.computedAt === null) {
        yield* cohorts.addRun(before.id, { at, memberCount, entered, left })
        yield* hastenDependents(before)
      }
      return after
    })

    /** The cohort after a computation that took so many milliseconds until now. For a while, markers that arrive do not make it due. */
    const rested = (cohort: Cohort, now: DateTime.Utc, took: number): Cohort => ({
      ...cohort,
      restsUntil: DateTime.add(now, { millis: restFactor * took })
    })

    /** Has the cohort computed as soon as possible, whatever happened to it before. */
    const demand = Effect.fnUntraced(function* (named: Named) {
      const now = yield* DateTime.now
      yield* transaction.run(change(named, (cohort) => (cohort.kind === "static" ? cohort : demanded(cohort, now))))
      wakeUp()
    })

    const isCutShort = ({ kind, status }: CohortOutline): boolean => kind === "static" && status === "computing"

    /** Gives up lists of units that nobody is storing any more: whoever stores one has the environment's turn. */
    const giveUp = Effect.fnUntraced(function* (cohort: CohortOutline) {
      const now = yield* DateTime.now
      const step = change(cohort, (each) => (isCutShort(each) ? failed(each, cutShort, now) : each))
      yield* turns.once(cohortsOf(cohort.environmentId), transaction.run(step))
    })

    /**
     * Takes over from processes that are gone: lists that they were storing are given up, and what has not seen all markers is due. What
     * they computed is computed again as soon as their claims have run out.
     */
    const recover = Effect.fnUntraced(function* () {
      const now = yield* DateTime.now
      for (const cohort of yield* cohorts.every) {
        if (isCutShort(cohort)) yield* giveUp(cohort)
        if (cohort.kind === "static") continue
        const { highestSequence } = yield* store.version(cohort.environmentId)
        const resumed = (each: Cohort) => (highestSequence === each.highestSequence ? each : hastened(each, now))
        yield* transaction.run(change(cohort, resumed))
      }
    })

    /** Cohorts that name markers which have arrived since are due. */
    const notice = Effect.fnUntraced(function* () {
      const noticed = yield* watch.taken
      yield* Effect.onError(transaction.run(hastenRested(noticed)), () => Effect.sync(() => watch.again(noticed)))
      wakeUp()
    })

    return { wakeUp: Effect.sync(wakeUp), requested, record, rested, demand, recover, notice } as const
  })
}) {}
