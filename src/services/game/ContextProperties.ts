import { Clock, DateTime, Effect } from "effect"
import type { ContextProperty } from "../../../schema/experiments/ExperimentCounts.ts"
import type { DataType } from "../../domain/analytics/question/Question.ts"
import type { Context } from "../../domain/experiments/Context.ts"
import { type ContextFacts, ContextSightings, withoutValue } from "../../domain/experiments/ContextFacts.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { ContextPropertyRepo } from "../../ports/game/ContextPropertyRepo.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"

/** Values shown of each property. */
const shown = 20

const kinds: ReadonlyArray<DataType> = ["string", "number", "boolean", "array"]

const propertyOf = (facts: ContextFacts): ContextProperty => ({
  name: facts.name,
  dataType: kinds.reduce((most, kind) => (facts.kinds[kind] > facts.kinds[most] ? kind : most)),
  values: facts.values.slice(0, shown).map(([value]) => value),
  lastSeenAt: DateTime.unsafeMake(facts.lastSeenAt)
})

/** What games say of their units, gathered in memory and written down a few times a minute. Asks for no permission: its callers do. */
export class ContextProperties extends Effect.Service<ContextProperties>()("services/game/ContextProperties", {
  scoped: Effect.gen(function* () {
    const repo = yield* ContextPropertyRepo
    const transaction = yield* Transaction
    let waiting = new Map<EnvironmentId, ContextSightings>()

    /** Returns at once. */
    const saw = Effect.fn("ContextProperties.saw")(function* (environmentId: EnvironmentId, context: Context) {
      const now = yield* Clock.currentTimeMillis
      let sightings = waiting.get(environmentId)
      if (sightings === undefined) waiting.set(environmentId, (sightings = new ContextSightings()))
      sightings.add(context, now)
    })

    const flush = Effect.gen(function* () {
      const taken = waiting
      waiting = new Map()
      for (const [environmentId, sightings] of taken) {
        const step = Effect.flatMap(repo.list(environmentId), (kept) =>
          repo.put(environmentId, sightings.addedTo(kept))
        )
        yield* transaction.run(step)
      }
    })

    const list = Effect.fn("ContextProperties.list")(function* (environmentId: EnvironmentId) {
      yield* flush
      return (yield* repo.list(environmentId)).map(propertyOf)
    })

    /** Forgets a value, wherever it was seen. */
    const forget = Effect.fn("ContextProperties.forget")(function* (environmentId: EnvironmentId, value: string) {
      yield* flush
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

    yield* Effect.addFinalizer(() => Effect.ignore(flush))
    return { saw, flush, list, forget } as const
  })
}) {}
