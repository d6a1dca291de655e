import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { EnvironmentId } from "../../../src/domain/Ids.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { UnitSightRepo } from "../../../src/ports/game/UnitSightRepo.ts"
import { aProject } from "../../support/analytics/SavedQueries.ts"
import { clearRemoved } from "../../support/operations/Removed.ts"
import { everyStore } from "../../support/Stores.ts"

for (const [label, store] of everyStore) {
  layer(store)(`first sights of units in ${label}`, (it) => {
    it.effect("keeps the earliest sight of each unit of an environment and type", () =>
      Effect.gen(function* () {
        const sights = yield* UnitSightRepo
        const { production, development } = yield* aProject
        const seen = (
          environmentId: EnvironmentId,
          unitType: "user" | "server",
          distinctId: string,
          firstSeenAt: number
        ) => ({
          environmentId,
          unitType,
          distinctId,
          firstSeenAt
        })
        yield* sights.record([
          seen(production, "user", "ann", 5),
          seen(production, "user", "ann", 3),
          seen(production, "user", "ann", 9),
          seen(production, "server", "ann", 1),
          seen(development, "user", "ann", 2),
          seen(EnvironmentId.make(999_999), "user", "ann", 2)
        ])
        yield* sights.record([seen(production, "user", "ann", 4), seen(production, "user", 'bob\'s "id"', 7)])
        const found = yield* sights.firstSeen(production, "user", ["ann", 'bob\'s "id"', "nobody"])
        assert.deepStrictEqual([...found].sort(), [
          ["ann", 3],
          ['bob\'s "id"', 7]
        ])
        assert.deepStrictEqual([...(yield* sights.firstSeen(production, "user", []))], [])
        assert.deepStrictEqual([...(yield* sights.firstSeen(production, "server", ["ann"]))], [["ann", 1]])
      })
    )

    it.effect("keeps any number of sights at once", () =>
      Effect.gen(function* () {
        const sights = yield* UnitSightRepo
        const { production } = yield* aProject
        const place = { environmentId: production, unitType: "user" } as const
        for (const count of [0, 1, 2, 15, 16, 17, 33, 128, 333]) {
          const ids = Array.from({ length: count }, (_, at) => `${at} of ${count}`)
          yield* sights.record(ids.map((distinctId, at) => ({ ...place, distinctId, firstSeenAt: at + 1 })))
          const found = yield* sights.firstSeen(production, "user", ids)
          assert.deepStrictEqual(
            ids.map((id) => found.get(id)),
            ids.map((_, at) => at + 1)
          )
        }
      })
    )

    it.effect("forgets a player, and everything of an environment that goes", () =>
      Effect.gen(function* () {
        const sights = yield* UnitSightRepo
        const projects = yield* ProjectRepo
        const { production, development } = yield* aProject
        const place = { unitType: "user", firstSeenAt: 1 } as const
        yield* sights.record([
          { ...place, environmentId: production, distinctId: "ann" },
          { ...place, environmentId: production, distinctId: "ann", unitType: "server" },
          { ...place, environmentId: development, distinctId: "ann" }
        ])
        yield* sights.eraseUnit(production, "ann")
        assert.strictEqual((yield* sights.firstSeen(production, "user", ["ann"])).size, 0)
        assert.strictEqual((yield* sights.firstSeen(production, "server", ["ann"])).size, 1)
        yield* projects.removeEnvironment(development)
        yield* clearRemoved
        assert.strictEqual((yield* sights.firstSeen(development, "user", ["ann"])).size, 0)
      })
    )
  })
}
