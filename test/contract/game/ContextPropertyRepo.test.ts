import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { ContextFacts } from "../../../src/domain/experiments/ContextFacts.ts"
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
