import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { maxNotices } from "../../../src/domain/game/NoticeLog.ts"
import { EnvironmentId } from "../../../src/domain/Ids.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { NoticeRepo } from "../../../src/ports/game/NoticeRepo.ts"
import { Transaction } from "../../../src/ports/operations/Transaction.ts"
import { aProject } from "../../support/analytics/SavedQueries.ts"
import { clearRemoved } from "../../support/operations/Removed.ts"
import { stores } from "../../support/Stores.ts"

const about = (...ids: ReadonlyArray<number>) => ({ event: "configuration", ids }) as const

for (const [label, store] of stores) {
  layer(store)(`notices in ${label}`, (it) => {
    it.effect("are numbered from 1 in each environment, without gaps, also where several are added at a time", () =>
      Effect.gen(function* () {
        const notices = yield* NoticeRepo
        const { run } = yield* Transaction
        const { production, development } = yield* aProject
        assert.strictEqual(yield* notices.last(production), 0)
        assert.deepStrictEqual(yield* notices.list(production), [])
        assert.strictEqual(yield* notices.add(production, about(7, 8)), 1)
        assert.strictEqual(yield* notices.add(development, { event: "experiments", ids: [] }), 1)
        yield* Effect.flip(run(Effect.zipRight(notices.add(production, about(9)), Effect.fail("undone"))))
        const numbers = yield* Effect.forEach([1, 2, 3], (id) => notices.add(production, about(id)), {
          concurrency: "unbounded"
        })
        assert.sameMembers(numbers, [2, 3, 4])
        assert.strictEqual(yield* notices.last(production), 4)
        const [first, ...others] = yield* notices.list(production)
        assert.deepStrictEqual(first, { number: 1, ...about(7, 8) })
        assert.deepStrictEqual(
          others.map(({ number }) => number),
          [2, 3, 4]
        )
        assert.deepStrictEqual(yield* notices.list(development), [{ number: 1, event: "experiments", ids: [] }])
      })
    )

    it.effect("are the latest thousand of an environment, and go with it", () =>
      Effect.gen(function* () {
        const notices = yield* NoticeRepo
        const { production, development } = yield* aProject
        yield* notices.add(development, about(1))
        for (let n = 1; n <= maxNotices + 5; n++) yield* notices.add(production, about(n))
        const kept = yield* notices.list(production)
        assert.deepStrictEqual([kept.length, kept[0]?.number], [maxNotices, 6])
        yield* Effect.flatMap(ProjectRepo, (projects) => projects.removeEnvironment(production))
        yield* clearRemoved
        assert.deepStrictEqual(yield* notices.list(production), [])
        assert.strictEqual(yield* notices.add(production, about(1)), 0)
        assert.strictEqual(yield* notices.add(EnvironmentId.make(987_654), about(1)), 0)
        assert.lengthOf(yield* notices.list(development), 1)
        assert.match(notices.epoch, /^[\w-]+$/)
      })
    )
  })
}
