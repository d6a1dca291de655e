import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type ContextFacts, ContextSightings } from "../../../src/domain/experiments/ContextFacts.ts"
import type { Context } from "../../../src/domain/experiments/Context.ts"
import { Transaction } from "../../../src/ports/operations/Transaction.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { ContextPropertyRepo } from "../../../src/ports/game/ContextPropertyRepo.ts"
import { aProject } from "../../support/analytics/SavedQueries.ts"
import { clearRemoved } from "../../support/operations/Removed.ts"
import { everyStore } from "../../support/Stores.ts"

const facts = (name: string, more: Partial<ContextFacts> = {}): ContextFacts => ({
  name,
  kinds: { string: 2, number: 1, boolean: 0, array: 0 },
  values: [
    ['it\'s "odd"', 2],
    [7, 1],
    [false, 1]
  ],
  lastSeenAt: 1_780_000_000_000,
  ...more
})

for (const [label, store] of everyStore) {
  layer(store)(`context properties in ${label}`, (it) => {
    it.effect("are kept by environment and name, the later facts instead of the earlier", () =>
      Effect.gen(function* () {
        const properties = yield* ContextPropertyRepo
        const { production, development } = yield* aProject
        yield* properties.put(production, [facts("roblox.device"), facts("Level"), facts("level")])
        yield* properties.put(development, [facts("level", { lastSeenAt: 5 })])
        const later = facts("level", { values: [], lastSeenAt: 9 })
        yield* properties.put(production, [later])
        assert.deepStrictEqual(yield* properties.list(production), [facts("Level"), later, facts("roblox.device")])
        assert.deepStrictEqual(yield* properties.list(development), [facts("level", { lastSeenAt: 5 })])
      })
    )

    it.effect("count what several add at a time, and keep what is not mentioned", () =>
      Effect.gen(function* () {
        const properties = yield* ContextPropertyRepo
        const { production, development } = yield* aProject
        const added = (context: Context, now: number) => {
          const sightings = new ContextSightings()
          sightings.add(context, now)
          return properties.add(production, sightings)
        }
        yield* properties.put(production, [facts("Level")])
        const all = Array.from({ length: 30 }, (_, n) => added({ level: n % 3, country: "DK" }, n))
        yield* Effect.all(all, { concurrency: "unbounded" })
        assert.deepStrictEqual(yield* properties.list(production), [
          facts("Level"),
          facts("country", {
            kinds: { string: 30, number: 0, boolean: 0, array: 0 },
            values: [["DK", 30]],
            lastSeenAt: 29
          }),
          facts("level", {
            kinds: { string: 0, number: 30, boolean: 0, array: 0 },
            values: [
              [0, 10],
              [1, 10],
              [2, 10]
            ],
            lastSeenAt: 29
          })
        ])
        assert.deepStrictEqual(yield* properties.list(development), [])
      })
    )

    it.effect("add nothing where the environment is gone, or the transaction fails", () =>
      Effect.gen(function* () {
        const properties = yield* ContextPropertyRepo
        const { production, development } = yield* aProject
        const sightings = new ContextSightings()
        sightings.add({ level: 1 }, 1)
        yield* Effect.flatMap(ProjectRepo, (projects) => projects.removeEnvironment(development))
        yield* properties.add(development, sightings)
        assert.deepStrictEqual(yield* properties.list(development), [])
        const undone = Effect.zipRight(properties.add(production, sightings), Effect.fail("no"))
        yield* Effect.flip((yield* Transaction).run(undone))
        assert.deepStrictEqual(yield* properties.list(production), [])
      })
    )

    it.effect("go with their environment, and none are stored once it is removed", () =>
      Effect.gen(function* () {
        const properties = yield* ContextPropertyRepo
        const { production, development } = yield* aProject
        yield* properties.put(development, [facts("level")])
        yield* Effect.flatMap(ProjectRepo, (projects) => projects.removeEnvironment(development))
        yield* clearRemoved
        assert.deepStrictEqual(yield* properties.list(development), [])
        yield* properties.put(development, [facts("level")])
        assert.deepStrictEqual(yield* properties.list(development), [])
        yield* properties.put(production, [facts("level")])
        assert.lengthOf(yield* properties.list(production), 1)
      })
    )
  })
}
