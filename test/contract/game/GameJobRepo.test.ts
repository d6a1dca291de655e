import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { GameJobRepo } from "../../../src/ports/game/GameJobRepo.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { Transaction } from "../../../src/ports/operations/Transaction.ts"
import { aProject } from "../../support/analytics/SavedQueries.ts"
import { clearRemoved } from "../../support/operations/Removed.ts"
import { everyStore } from "../../support/Stores.ts"

const open = { startedAt: null, completedAt: null, status: null, result: null }

for (const [label, store] of everyStore) {
  layer(store)(`jobs of game servers in ${label}`, (it) => {
    it.effect("keeps the latest of each audience of an environment, under ids that only grow", () =>
      Effect.gen(function* () {
        const jobs = yield* GameJobRepo
        const { production, development } = yield* aProject
        assert.deepStrictEqual(yield* jobs.find(production, "client"), Option.none())
        const first = yield* jobs.queue(production, "client", "a", 1)
        assert.deepStrictEqual(first, { id: first.id, digest: "a", queuedAt: 1, ...open })
        const server = yield* jobs.queue(production, "server", "a", 2)
        const elsewhere = yield* jobs.queue(development, "client", "a", 3)
        const second = yield* jobs.queue(production, "client", "b", 4)
        const ids = [first.id, server.id, elsewhere.id, second.id]
        assert.deepStrictEqual(
          ids.toSorted((a, b) => a - b),
          ids
        )
        assert.strictEqual(new Set(ids).size, 4)
        assert.deepStrictEqual(yield* jobs.find(production, "client"), Option.some(second))
        assert.deepStrictEqual(yield* jobs.find(production, "server"), Option.some(server))
        assert.deepStrictEqual(yield* jobs.find(development, "client"), Option.some(elsewhere))
      })
    )

    it.effect("notes start and end of its own jobs and of no other", () =>
      Effect.gen(function* () {
        const jobs = yield* GameJobRepo
        const { production, development } = yield* aProject
        const own = yield* jobs.queue(production, "client", "a", 1)
        const foreign = yield* jobs.queue(development, "client", "a", 1)
        yield* jobs.start(production, [own.id, foreign.id, 987_654], 5)
        const outcome = { status: "success", result: '{"é":1}' }
        yield* jobs.complete(production, [{ id: foreign.id, status: "failure", result: null }], 6)
        const started = { ...own, startedAt: 5 }
        assert.deepStrictEqual(yield* jobs.find(production, "client"), Option.some(started))
        yield* jobs.complete(production, [{ id: own.id, ...outcome }], 7)
        assert.deepStrictEqual(
          yield* jobs.find(production, "client"),
          Option.some({ ...started, completedAt: 7, ...outcome })
        )
        assert.deepStrictEqual(yield* jobs.find(development, "client"), Option.some(foreign))
        yield* jobs.start(production, [], 8)
        yield* jobs.complete(production, [], 8)
      })
    )

    it.effect("goes with its environment, and with a transaction that fails", () =>
      Effect.gen(function* () {
        const jobs = yield* GameJobRepo
        const { production, development } = yield* aProject
        yield* jobs.queue(production, "client", "a", 1)
        const kept = yield* jobs.queue(development, "client", "a", 1)
        const work = Effect.zipRight(jobs.queue(development, "client", "b", 2), Effect.fail("no"))
        yield* Effect.flip((yield* Transaction).run(work))
        yield* (yield* ProjectRepo).removeEnvironment(production)
        yield* clearRemoved
        assert.deepStrictEqual(yield* jobs.find(production, "client"), Option.none())
        assert.deepStrictEqual(yield* jobs.find(development, "client"), Option.some(kept))
      })
    )
  })
}
