import { Clock, DateTime, Effect } from "effect"
import type { ContextProperty } from "../../../schema/experiments/ExperimentCounts.ts"
import { dataTypes } from "../../domain/analytics/question/Question.ts"
import type { Context } from "../../domain/experiments/Context.ts"
import { type ContextFacts, ContextSightings, withoutValue } from "../../domain/experiments/ContextFacts.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { ContextPropertyRepo } from "../../ports/game/ContextPropertyRepo.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"
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
}

/**
 * What games say of their units, gathered by environment and written a few times a minute. `WriteBehind` says what it promises.
 * Asks for no permission: its callers do.
 */
export class ContextProperties extends Effect.Service<ContextProperties>()("services/game/ContextProperties", {
  scoped: Effect.gen(function* () {
    const repo = yield* ContextPropertyRepo
    const transaction = yield* Transaction

    const buffer = yield* makeWriteBehind<SightingsIn>({
      name: "Context properties",
      batchSize: 1,
      gatherFor: "10 seconds",
      maxItems: 10_000,
      maxBytes: 32 * 2 ** 20,
      bytesOf: ({ sightings }) => sightings.bytes,
      merge: (older, newer) => ({ ...older, sightings: older.sightings.followedBy(newer.sightings) }),
      write: (all) =>
        Effect.forEach(all, ({ environmentId, sightings }) => repo.add(environmentId, sightings), { discard: true })
    })

    /** Returns at once. */
    const saw = Effect.fnUntraced(function* (environmentId: EnvironmentId, context: Context) {
      const now = yield* Clock.currentTimeMillis
      yield* buffer.put(String(environmentId), (waiting = { environmentId, sightings: new ContextSightings() }) => {
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
      const step = Effect.gen(function* () {
        const holding = (yield* repo.list(environmentId)).filter(({ values }) =>
          values.some(([each]) => each === value)
        )
        yield* repo.put(
          environmentId,
          holding.map((facts) => withoutValue(facts, value))
        )
      })
      yield* transaction.run(step)
    })

    return { saw, list, forget } as const
  })
}) {}
