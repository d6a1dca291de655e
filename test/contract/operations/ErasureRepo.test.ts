import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { ErasureRepo } from "../../../src/ports/operations/ErasureRepo.ts"
import { aProject } from "../../support/analytics/SavedQueries.ts"
import { everyStore } from "../../support/Stores.ts"

for (const [label, store] of everyStore) {
  layer(store)(`erasures in ${label}`, (it) => {
    it.effect("are unfinished from their beginning to their end, the longest ago first", () =>
      Effect.gen(function* () {
        const erasures = yield* ErasureRepo
        const { production, development } = yield* aProject
        const late = { environmentId: production, unitId: "late 'O\"Neil' 東京", erasedAt: 30 }
        const early = { environmentId: development, unitId: "early", erasedAt: 10 }
        yield* erasures.begin(late)
        yield* erasures.begin(early)
        assert.deepStrictEqual(yield* erasures.unfinished, [early, late])
        yield* erasures.begin({ ...early, erasedAt: 20 })
        yield* erasures.begin({ ...early, erasedAt: 15 })
        assert.deepStrictEqual(yield* erasures.unfinished, [{ ...early, erasedAt: 20 }, late])
        yield* erasures.end({ ...late, unitId: early.unitId })
        yield* erasures.end(late)
        assert.deepStrictEqual(yield* erasures.unfinished, [{ ...early, erasedAt: 20 }])
        yield* erasures.end({ ...early, erasedAt: 20 })
        assert.deepStrictEqual(yield* erasures.unfinished, [])
      })
    )

    it.effect("of one unit at once are unfinished until the later one has ended", () =>
      Effect.gen(function* () {
        const erasures = yield* ErasureRepo
        const { production } = yield* aProject
        const first = { environmentId: production, unitId: "twice", erasedAt: 10 }
        const second = { ...first, erasedAt: 20 }
        yield* erasures.begin(first)
        yield* erasures.begin(second)
        yield* erasures.end(first)
        assert.deepStrictEqual(yield* erasures.unfinished, [second])
        yield* erasures.end(second)
        assert.deepStrictEqual(yield* erasures.unfinished, [])
      })
    )

    it.effect("go with their environment", () =>
      Effect.gen(function* () {
        const erasures = yield* ErasureRepo
        const { production, development } = yield* aProject
        const kept = { environmentId: development, unitId: "a", erasedAt: 1 }
        yield* erasures.begin({ ...kept, environmentId: production })
        yield* erasures.begin(kept)
        yield* (yield* ProjectRepo).removeEnvironment(production)
        assert.deepStrictEqual(yield* erasures.unfinished, [kept])
      })
    )
  })
}
