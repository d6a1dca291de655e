import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import type { StoredExperiment } from "../../../src/domain/experiments/StoredExperiment.ts"
import { ExperimentRepo } from "../../../src/ports/experiments/ExperimentRepo.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { anExperiment } from "../../support/experiments/StoredExperiments.ts"
import { clearRemoved } from "../../support/operations/Removed.ts"
import { everyStore } from "../../support/Stores.ts"

const ended = (experiment: StoredExperiment): StoredExperiment => ({
  ...experiment,
  progress: { ...experiment.progress, status: "terminated", terminatedAt: 3000, terminationReason: "done" }
})

for (const [label, store] of everyStore) {
  layer(store)(`experiments in ${label}`, (it) => {
    it.effect("gives ids that nobody has had, and keeps everything of an experiment", () =>
      Effect.gen(function* () {
        const repo = yield* ExperimentRepo
        const experiment = yield* anExperiment
        const other = yield* repo.newIds(3)
        assert.isAbove(other.id, experiment.id)
        assert.strictEqual(new Set([...other.groupIds, ...experiment.groups.map(({ id }) => id)]).size, 5)
        assert.deepStrictEqual(yield* repo.insert(experiment), experiment)
        assert.deepStrictEqual(yield* repo.find(experiment.environmentId, experiment.id), Option.some(experiment))
        assert.deepStrictEqual(yield* repo.find(experiment.environmentId, other.id), Option.none())
      })
    )

    it.effect("writes over the revision that was read, and no other", () =>
      Effect.gen(function* () {
        const repo = yield* ExperimentRepo
        const first = yield* repo.insert(yield* anExperiment)
        const second = { ...first, name: "Second" }
        assert.deepStrictEqual(yield* repo.update(second), Option.some({ ...second, revision: 2 }))
        assert.deepStrictEqual(yield* repo.update({ ...first, name: "Third" }), Option.none())
        assert.deepStrictEqual(yield* repo.find(first.environmentId, first.id), Option.some({ ...second, revision: 2 }))
      })
    )

    it.effect("lists those of an environment, and those that have not ended", () =>
      Effect.gen(function* () {
        const repo = yield* ExperimentRepo
        const one = yield* repo.insert(yield* anExperiment)
        const two = yield* repo.insert(yield* Effect.map(anExperiment, (each) => ({ ...each, ...pick(one) })))
        const over = Option.getOrThrow(yield* repo.update(ended(two)))
        const everyone = yield* repo.everyOpen(({ id }) => id)
        assert.deepStrictEqual(yield* repo.list(one.environmentId), [one, over])
        assert.deepStrictEqual(yield* repo.open(one.environmentId), [one])
        assert.deepStrictEqual([...(yield* repo.revisions(one.environmentId))], [[one.id, one.revision]])
        const { count, characters } = yield* repo.openSize(one.environmentId)
        assert.strictEqual(count, 1)
        assert.isAtLeast(characters, JSON.stringify(one.groups).length)
        const all = yield* repo.size(one.environmentId)
        assert.deepStrictEqual([all.count, all.characters > characters], [2, true])
        assert.isTrue(everyone.includes(one.id) && !everyone.includes(two.id))
        yield* (yield* ProjectRepo).remove(one.applicationId)
        for (const each of [Effect.void, clearRemoved]) {
          yield* each
          assert.deepStrictEqual(yield* repo.list(one.environmentId), [])
          assert.deepStrictEqual(yield* repo.open(one.environmentId), [])
          assert.deepStrictEqual(yield* repo.find(one.environmentId, one.id), Option.none())
          assert.strictEqual((yield* repo.revisions(one.environmentId)).size, 0)
          assert.deepStrictEqual(yield* repo.openSize(one.environmentId), { count: 0, characters: 0 })
        }
      })
    )
  })
}

const pick = ({ applicationId, environmentId }: StoredExperiment) => ({ applicationId, environmentId })
