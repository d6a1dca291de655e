import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { GameJobRepo } from "../../../src/ports/game/GameJobRepo.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { Transaction } from "../../../src/ports/operations/Transaction.ts"
import { aProject } from "../../support/analytics/SavedQueries.ts"
import { clearRemoved } from "../../support/operations/Removed.ts"
import { everyStore } from "../../support/Stores.ts"

const queue = (...parameters: Parameters<GameJobRepo["Type"]["queueUnlessSame"]>) =>
  Effect.flatMap(GameJobRepo, (jobs) => Effect.orDie(Effect.flatten(jobs.queueUnlessSame(...parameters))))

const open = { startedAt: null, completedAt: null, status: null, result: null }

for (const [label, store] of everyStore) {
  layer(store)(`jobs of game servers in ${label}`, (it) => {
    it.effect("keeps the latest of each audience of an environment, under ids that only grow", () =>
      Effect.gen(function* () {
        const jobs = yield* GameJobRepo
        const { production, development } = yield* aProject
        assert.deepStrictEqual(yield* jobs.find(production, "client"), Option.none())
        const first = yield* queue(production, "client", "a", 1)
        assert.deepStrictEqual(first, { id: first.id, digest: "a", queuedAt: 1, ...open })
        const server = yield* queue(production, "server", "a", 2)
        const elsewhere = yield* queue(development, "client", "a", 3)
        const second = yield* queue(production, "client", "b", 4)
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

    it.effect("has one job for one digest, also where two ask at a time", () =>
      Effect.gen(function* () {
        const jobs = yield* GameJobRepo
        const { production } = yield* aProject
        const ask = (digest: string) => jobs.queueUnlessSame(production, "client", digest, 1)
        const first = yield* queue(production, "client", "a", 1)
        assert.deepStrictEqual(yield* ask("a"), Option.none())
        const answers = yield* Effect.all([ask("b"), ask("b"), ask("b")], { concurrency: "unbounded" })
        const [queued, ...others] = answers.filter(Option.isSome)
        assert.deepStrictEqual(others, [])
        assert.isAbove(queued?.value.id ?? 0, first.id)
        assert.deepStrictEqual(yield* jobs.find(production, "client"), queued)
        assert.isTrue(Option.isSome(yield* ask("a")))
      })
    )

    it.effect("notes start and end of its own jobs and of no other", () =>
      Effect.gen(function* () {
        const jobs = yield* GameJobRepo
        const { production, development } = yield* aProject
        const own = yield* queue(production, "client", "a", 1)
        const foreign = yield* queue(development, "client", "a", 1)
        yield* jobs.start(production, "client", [own.id, foreign.id, 987_654], 5)
        const outcome = { status: "success", result: '{"é":1}' }
        yield* jobs.complete(production, "client", [{ id: foreign.id, status: "failure", result: null }], 6)
        const started = { ...own, startedAt: 5 }
        assert.deepStrictEqual(yield* jobs.find(production, "client"), Option.some(started))
        yield* jobs.complete(production, "client", [{ id: own.id, ...outcome }], 7)
        assert.deepStrictEqual(
          yield* jobs.find(production, "client"),
          Option.some({ ...started, completedAt: 7, ...outcome })
        )
        assert.deepStrictEqual(yield* jobs.find(development, "client"), Option.some(foreign))
        yield* jobs.start(production, "client", [], 8)
        yield* jobs.complete(production, "client", [], 8)
      })
    )

    it.effect("lets no audience start or end the job of the other", () =>
      Effect.gen(function* () {
        const jobs = yield* GameJobRepo
        const { production } = yield* aProject
        const clients = yield* queue(production, "client", "a", 1)
        const servers = yield* queue(production, "server", "a", 1)
        yield* jobs.start(production, "client", [clients.id, servers.id], 5)
        const outcome = { id: servers.id, status: "success", result: null }
        yield* jobs.complete(production, "client", [outcome], 6)
        assert.deepStrictEqual(yield* jobs.find(production, "client"), Option.some({ ...clients, startedAt: 5 }))
        assert.deepStrictEqual(yield* jobs.find(production, "server"), Option.some(servers))
        yield* jobs.complete(production, "server", [{ ...outcome, status: "failure" }, outcome], 7)
        const ended = { ...servers, completedAt: 7, status: "success" }
        assert.deepStrictEqual(yield* jobs.find(production, "server"), Option.some(ended))
      })
    )

    it.effect("goes with its environment, and with a transaction that fails", () =>
      Effect.gen(function* () {
        const jobs = yield* GameJobRepo
        const { production, development } = yield* aProject
        yield* queue(production, "client", "a", 1)
        const kept = yield* queue(development, "client", "a", 1)
        const work = Effect.zipRight(queue(development, "client", "b", 2), Effect.fail("no"))
        yield* Effect.flip((yield* Transaction).run(work))
        yield* (yield* ProjectRepo).removeEnvironment(production)
        yield* clearRemoved
        assert.deepStrictEqual(yield* jobs.find(production, "client"), Option.none())
        assert.deepStrictEqual(yield* jobs.find(development, "client"), Option.some(kept))
      })
    )
  })
}
