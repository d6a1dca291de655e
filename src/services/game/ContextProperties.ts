import { Clock, DateTime, Effect } from "effect"
import type { ContextProperty } from "../../../schema/experiments/ExperimentCounts.ts"
import { dataTypes } from "../../domain/analytics/question/Question.ts"
import type { Context } from "../../domain/experiments/Context.ts"
import { type ContextFacts, ContextSightings, withoutValue } from "../../domain/experiments/ContextFacts.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { ContextPropertyRepo } from "../../ports/game/ContextPropertyRepo.ts"
import { nextTurn } from "../../ports/operations/NextTurn.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
import { ErasedUnits } from "../operations/ErasedUnits.ts"
import { makeWriteBehind } from "../WriteBehind.ts"

/** Values shown of each property. */
const shown = 20

const propertyOf = (facts: ContextFacts): ContextProperty => ({
  name: facts.name,
  dataType: dataTypes.reduce((most, kind) => (facts.kinds[kind] > facts.kinds[most] ? kind : most)),
  values: facts.values.slice(0, shown).map(([value]) => value),
  lastSeenAt: DateTime.unsafeMake(facts.lastSeenAt)
})

interface SightingsIn {
  readonly environmentId: EnvironmentId
  readonly sightings: ContextSightings
  /** When the first of them was gathered (epoch ms), and how many erasures there were in the environment then. */
  readonly since: number
  readonly erasures: number
}

/**
 * What games say of their units, gathered by environment and written a few times a minute. `WriteBehind` says what it promises.
 * Asks for no permission: its callers do.
 */
export class ContextProperties extends Effect.Service<ContextProperties>()("services/game/ContextProperties", {
  scoped: Effect.gen(function* () {
    const repo = yield* ContextPropertyRepo
    const transaction = yield* Transaction
    const erased = yield* ErasedUnits

    /** Removes a value from what is stored. */
    const remove = Effect.fnUntraced(
      function* (environmentId: EnvironmentId, value: string) {
        const holding = (yield* repo.list(environmentId)).filter(({ values }) =>
          values.some(([each]) => each === value)
        )
        yield* repo.put(
          environmentId,
          holding.map((facts) => withoutValue(facts, value))
        )
      },
      (effect) => transaction.run(effect)
    )

    /** Removes values again that are ids of players who were erased while they waited, maybe by another process, which could not find them. */
    const removeOvertaken = Effect.fnUntraced(function* ({ environmentId, since, erasures }: SightingsIn) {
      const isErased = yield* erased.testSince(environmentId, erasures)
      if (isErased === undefined) return
      const gone = new Set<string>()
      for (const { values } of yield* repo.list(environmentId)) {
        yield* nextTurn
        for (const [value] of values) if (typeof value === "string" && isErased(value, since)) gone.add(value)
      }
      yield* Effect.forEach(gone, (value) => remove(environmentId, value), { discard: true })
    })

    const buffer = yield* makeWriteBehind<SightingsIn>({
      name: "Context properties",
      batchSize: 1,
      gatherFor: "10 seconds",
      maxItems: 10_000,
      maxBytes: 32 * 2 ** 20,
      bytesOf: ({ sightings }) => sightings.bytes,
      merge: (older, newer) => ({ ...older, sightings: older.sightings.followedBy(newer.sightings) }),
      write: (all) =>
        Effect.forEach(
          all,
          (each) => Effect.zipRight(repo.add(each.environmentId, each.sightings), removeOvertaken(each)),
          { discard: true }
        )
    })

    /** Returns at once. */
    const saw = Effect.fnUntraced(function* (environmentId: EnvironmentId, context: Context) {
      const now = yield* Clock.currentTimeMillis
      const erasures = erased.erasures(environmentId)
      const first = () => ({ environmentId, sightings: new ContextSightings(), since: now, erasures })
      yield* buffer.put(String(environmentId), (waiting = first()) => {
        waiting.sightings.add(context, now)
        return waiting
      })
    })

    const list = Effect.fnUntraced(function* (environmentId: EnvironmentId) {
      yield* buffer.flushIfPossible
      return (yield* repo.list(environmentId)).map(propertyOf)
    })

    /** Forgets a value, wherever it was seen. */
    const forget = Effect.fnUntraced(function* (environmentId: EnvironmentId, value: string) {
      yield* buffer.flush
      yield* remove(environmentId, value)
    })

    return { saw, list, forget } as const
  })
}) {}
