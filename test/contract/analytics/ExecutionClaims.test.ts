import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import type { Execution } from "../../../src/domain/analytics/question/Execution.ts"
import { farthestPlanMillis } from "../../../src/domain/operations/DueTime.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { ExecutionRepo } from "../../../src/ports/analytics/ExecutionRepo.ts"
import { SavedQueryRepo } from "../../../src/ports/analytics/SavedQueryRepo.ts"
import { aProject, anExecution, aSavedQuery, at } from "../../support/analytics/SavedQueries.ts"
import { metadataStores } from "../../support/Stores.ts"

for (const [name, store] of metadataStores) {
  layer(store)(`claims of executions in ${name}`, (it) => {
    it.effect("is run by who claimed it, until it is canceled or the claim has run out", () =>
      Effect.gen(function* () {
        const repo = yield* ExecutionRepo
        const { application, production } = yield* aProject
        const query = yield* (yield* SavedQueryRepo).insert(aSavedQuery(application.id))
        const [kept, lost, canceled] = yield* Effect.all(
          Array.from({ length: 3 }, () => repo.insert(anExecution(query, production, {})))
        )
        for (const each of [kept, lost, canceled]) {
          assert.deepStrictEqual(
            Option.map(yield* repo.claim(at(1), "a", at(15), []), ({ id }) => id),
            Option.some(each!.id)
          )
        }
        const progressOf = (...all: ReadonlyArray<Execution | undefined>) =>
          all.map((each) => ({ id: each!.id, rowsScanned: 4, rowsTotal: 9 }))
        yield* repo.cancel(canceled!.id, at(2))
        assert.deepStrictEqual(yield* repo.renew("a", at(30), progressOf(kept, canceled)), [kept!.id])
        assert.deepStrictEqual(yield* repo.renew("b", at(30), progressOf(kept, lost)), [])
        const renewed = Option.getOrThrow(yield* repo.find(query.id, kept!.id))
        assert.deepStrictEqual([renewed.rowsScanned, renewed.rowsTotal], [4, 9])
        assert.strictEqual(yield* repo.requeue(at(15)), 0)
        assert.strictEqual(yield* repo.requeue(at(16)), 1)
        const ending = { result: "{}", error: null, rowsScanned: 1, rowsTotal: 2, finishedAt: at(17) }
        const finish = (by: string, execution: Execution | undefined) =>
          repo.finish(execution!.id, by, { state: "succeeded", ...ending })
        assert.isFalse(yield* finish("a", lost))
        assert.isTrue(Option.isSome(yield* repo.claim(at(16), "b", at(40), [])))
        assert.isFalse(yield* finish("a", lost))
        assert.isFalse(yield* finish("b", kept))
        assert.isTrue(yield* finish("b", lost))
        assert.isTrue(yield* finish("a", kept))
        yield* (yield* ProjectRepo).remove(application.id)
      })
    )

    it.effect("counts how often it was begun, but for those times that were taken back", () =>
      Effect.gen(function* () {
        const repo = yield* ExecutionRepo
        const { application, production } = yield* aProject
        const query = yield* (yield* SavedQueryRepo).insert(aSavedQuery(application.id))
        const { id } = yield* repo.insert(anExecution(query, production, {}))
        const claimed = Effect.map(repo.claim(at(1), "a", at(15), []), Option.getOrThrow)
        assert.strictEqual((yield* claimed).attempts, 1)
        yield* repo.leave(id, "b")
        yield* repo.requeue(at(16))
        assert.strictEqual((yield* claimed).attempts, 2)
        yield* repo.leave(id, "a")
        yield* repo.requeue(at(16))
        assert.strictEqual((yield* claimed).attempts, 2)
        yield* (yield* ProjectRepo).remove(application.id)
      })
    )

    it.effect("is queued again where a clock that was ahead has claimed it for days", () =>
      Effect.gen(function* () {
        const repo = yield* ExecutionRepo
        const { application, production } = yield* aProject
        const query = yield* (yield* SavedQueryRepo).insert(aSavedQuery(application.id))
        const { id } = yield* repo.insert(anExecution(query, production, {}))
        yield* repo.claim(at(1), "ahead", at(farthestPlanMillis / 1000 + 2), [])
        assert.strictEqual(yield* repo.requeue(at(2)), 0)
        assert.strictEqual(yield* repo.requeue(at(1)), 1)
        assert.strictEqual(Option.getOrThrow(yield* repo.find(query.id, id)).state, "queued")
        yield* (yield* ProjectRepo).remove(application.id)
      })
    )

    it.effect("are given to organizations that have not been served first, and then to the others", () =>
      Effect.gen(function* () {
        const repo = yield* ExecutionRepo
        const queries = yield* SavedQueryRepo
        const [busy, quiet] = [yield* aProject, yield* aProject]
        const [many, few] = [
          yield* queries.insert(aSavedQuery(busy.application.id)),
          yield* queries.insert(aSavedQuery(quiet.application.id))
        ]
        const own = yield* Effect.replicateEffect(
          Effect.suspend(() => repo.insert(anExecution(many, busy.production, {}))),
          2
        )
        const other = yield* repo.insert(anExecution(few, quiet.production, {}))
        const served = [busy.application.organizationId]
        const claims = yield* Effect.replicateEffect(repo.claim(at(1), "a", at(15), served), 4)
        const claimed = claims.flatMap((claim) => (Option.isSome(claim) ? [claim.value.id] : []))
        assert.deepStrictEqual(
          claimed,
          [other, ...own].map(({ id }) => id)
        )
        for (const { application } of [busy, quiet]) yield* (yield* ProjectRepo).remove(application.id)
      })
    )

    it.effect("are given once each to those who claim at the same time", () =>
      Effect.gen(function* () {
        const repo = yield* ExecutionRepo
        const { application, production } = yield* aProject
        const query = yield* (yield* SavedQueryRepo).insert(aSavedQuery(application.id))
        const queued = yield* Effect.all(
          Array.from({ length: 20 }, () => repo.insert(anExecution(query, production, {})))
        )
        const claims = yield* Effect.all(
          Array.from({ length: 30 }, (_, index) => repo.claim(at(1), `owner ${index % 4}`, at(15), [])),
          { concurrency: "unbounded" }
        )
        const given = claims.flatMap((claim) => (Option.isSome(claim) ? [claim.value.id] : []))
        assert.deepStrictEqual(given.toSorted(), queued.map(({ id }) => id).toSorted())
        yield* (yield* ProjectRepo).remove(application.id)
      })
    )
  })
}
