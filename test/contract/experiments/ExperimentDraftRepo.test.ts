import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import type { ExperimentDraft } from "../../../src/domain/experiments/ExperimentDraft.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { ExperimentDraftRepo } from "../../../src/ports/experiments/ExperimentDraftRepo.ts"
import { ExperimentRepo } from "../../../src/ports/experiments/ExperimentRepo.ts"
import { anExperiment } from "../../support/experiments/StoredExperiments.ts"
import { clearRemoved } from "../../support/operations/Removed.ts"
import { everyStore } from "../../support/Stores.ts"

/** A draft of a project of its own, or of that of another, which is not stored yet. */
const aDraft = Effect.fnUntraced(function* (beside?: ExperimentDraft) {
  const { applicationId, environmentId, createdBy, createdAt } = beside ?? (yield* anExperiment)
  const { id, groupIds } = yield* (yield* ExperimentRepo).newIds(2)
  return {
    id,
    groupIds,
    applicationId,
    environmentId,
    revision: 1,
    plan: '{"name":"Zoë \'O\\"Neil\' %_ 東京"}',
    createdBy,
    createdAt,
    updatedAt: createdAt
  } satisfies ExperimentDraft
})

for (const [label, store] of everyStore) {
  layer(store)(`drafts of experiments in ${label}`, (it) => {
    it.effect("keeps everything of a draft, and writes over the revision that was read and no other", () =>
      Effect.gen(function* () {
        const repo = yield* ExperimentDraftRepo
        const draft = yield* aDraft()
        assert.deepStrictEqual(yield* repo.insert(draft), draft)
        const next = { ...draft, plan: "{}", groupIds: [], createdBy: null }
        assert.deepStrictEqual(yield* repo.update(next), Option.some({ ...next, revision: 2 }))
        assert.deepStrictEqual(yield* repo.update(next), Option.none())
        assert.deepStrictEqual(yield* repo.find(draft.environmentId, draft.id), Option.some({ ...next, revision: 2 }))
      })
    )

    it.effect("lists and removes those of an environment, and forgets them with it", () =>
      Effect.gen(function* () {
        const repo = yield* ExperimentDraftRepo
        const one = yield* repo.insert(yield* aDraft())
        const two = yield* repo.insert(yield* aDraft(one))
        const foreign = yield* repo.insert(yield* aDraft())
        assert.deepStrictEqual(yield* repo.list(one.environmentId), [one, two])
        const characters = one.plan.length + two.plan.length
        assert.deepStrictEqual(yield* repo.size(one.environmentId), { count: 2, characters })
        assert.deepStrictEqual(yield* repo.find(foreign.environmentId, one.id), Option.none())
        yield* repo.remove(foreign.environmentId, one.id)
        assert.deepStrictEqual(yield* repo.find(one.environmentId, one.id), Option.some(one))
        yield* repo.remove(one.environmentId, one.id)
        assert.deepStrictEqual(yield* repo.list(one.environmentId), [two])
        yield* (yield* ProjectRepo).remove(one.applicationId)
        yield* clearRemoved
        assert.deepStrictEqual(yield* repo.list(one.environmentId), [])
        assert.deepStrictEqual(yield* repo.list(foreign.environmentId), [foreign])
        assert.deepStrictEqual(yield* repo.size(one.environmentId), { count: 0, characters: 0 })
      })
    )

    it.effect("takes ids of groups that nobody has had", () =>
      Effect.gen(function* () {
        const repo = yield* ExperimentRepo
        const { groupIds } = yield* repo.newIds(2)
        const more = yield* repo.newGroupIds(3)
        const later = yield* repo.newIds(1)
        assert.strictEqual(new Set([...groupIds, ...more, ...later.groupIds]).size, 6)
      })
    )
  })
}
