import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { ServerStateRepo } from "../../../src/ports/game/ServerStateRepo.ts"
import { aProject } from "../../support/analytics/SavedQueries.ts"
import { clearRemoved } from "../../support/operations/Removed.ts"
import { everyStore } from "../../support/Stores.ts"

const state = (serverId: string, reportedAt: number, players: number) => ({
  serverId,
  reportedAt,
  state: JSON.stringify({ players, note: "Zoë 'O\"Neil' 東京" })
})

for (const [label, store] of everyStore) {
  layer(store)(`states of game servers in ${label}`, (it) => {
    it.effect("keeps the latest of each server, whatever comes late", () =>
      Effect.gen(function* () {
        const states = yield* ServerStateRepo
        const { production, development } = yield* aProject
        yield* states.put(production, state("one", 10, 1))
        yield* states.put(production, state("two", 10, 2))
        yield* states.put(development, state("one", 10, 3))
        yield* states.put(production, state("one", 12, 4))
        yield* states.put(production, state("one", 11, 5))
        assert.deepStrictEqual(yield* states.find(production, "one"), Option.some(state("one", 12, 4)))
        yield* states.put(production, state("one", 12, 6))
        assert.deepStrictEqual(yield* states.find(production, "one"), Option.some(state("one", 12, 6)))
        assert.deepStrictEqual(yield* states.find(production, "two"), Option.some(state("two", 10, 2)))
        assert.deepStrictEqual(yield* states.find(development, "one"), Option.some(state("one", 10, 3)))
        assert.deepStrictEqual(yield* states.find(development, "two"), Option.none())
      })
    )

    it.effect("G2: removes servers whose state or id passes a test, in their environment", () =>
      Effect.gen(function* () {
        const states = yield* ServerStateRepo
        const { production, development } = yield* aProject
        yield* states.put(production, state("one", 10, 1))
        yield* states.put(production, state("two", 10, 2))
        yield* states.put(production, state("three", 10, 3))
        yield* states.put(development, state("one", 10, 1))
        const asked: Array<string> = []
        yield* states.removeMentioning(production, (json) => {
          asked.push(json)
          return json === '"three"' || json.startsWith('{"players":1,')
        })
        assert.includeMembers(asked, ['"two"', state("two", 10, 2).state])
        for (const [environmentId, serverId, isThere] of [
          [production, "one", false],
          [production, "two", true],
          [production, "three", false],
          [development, "one", true]
        ] as const)
          assert.strictEqual(Option.isSome(yield* states.find(environmentId, serverId)), isThere, serverId)
      })
    )

    it.effect("forgets servers that fell silent, and those of an environment that goes", () =>
      Effect.gen(function* () {
        const states = yield* ServerStateRepo
        const { production, development } = yield* aProject
        for (const environmentId of [production, development]) {
          yield* states.put(environmentId, state("old", 99, 1))
          yield* states.put(environmentId, state("new", 100, 1))
        }
        yield* states.expire(100)
        assert.deepStrictEqual(yield* states.find(production, "old"), Option.none())
        assert.deepStrictEqual(yield* states.find(production, "new"), Option.some(state("new", 100, 1)))
        yield* (yield* ProjectRepo).removeEnvironment(production)
        yield* clearRemoved
        assert.deepStrictEqual(yield* states.find(production, "new"), Option.none())
        assert.deepStrictEqual(yield* states.find(development, "new"), Option.some(state("new", 100, 1)))
      })
    )
  })
}
