import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import type { StoredExperiment } from "../../../src/domain/experiments/StoredExperiment.ts"
import { ConfigurationId, UserId } from "../../../src/domain/Ids.ts"
import { ExperimentRepo } from "../../../src/ports/experiments/ExperimentRepo.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { aProject } from "../../support/analytics/SavedQueries.ts"
import { stores } from "../../support/Stores.ts"

const createdAt = DateTime.unsafeMake(1_772_323_199_007)

const anExperiment = Effect.gen(function* () {
  const { application, production } = yield* aProject
  const { id, groupIds } = yield* (yield* ExperimentRepo).newIds(2)
  return {
    id,
    applicationId: application.id,
    environmentId: production,
    revision: 1,
    name: "Zoë 'O\"Neil' %_ 東京",
    description: null,
    hypothesis: "More rounds",
    unitType: "user",
    assignmentMode: "weightedHash",
    seed: `experiment-${id}`,
    hashVersion: 2,
    baseConfigurationId: ConfigurationId.make(7),
    groups: groupIds.map((groupId, ordinal) => ({
      id: groupId,
      name: `Group ${ordinal}`,
      label: ordinal === 0 ? null : "b",
      isControl: ordinal === 0,
      changeset: {
        operations:
          ordinal === 0
            ? []
            : [
                { op: "set", path: ["a", "b"], value: { deep: [1, null, "x"] } },
                { op: "delete", path: ["c"] }
              ]
      }
    })),
    targeting: {
      cohortIds: [],
      conditions: [{ property: "properties.level", operator: "greaterThan", operands: [3], value: 3 }],
      newUsersOnly: true
    },
    autoAssignment: true,
    permanentEnrollment: false,
    exclusionLayer: "ui",
    holdoutPercent: 2.5,
    metrics: '{"goals":[],"guardrails":[]}',
    progress: {
      status: "active",
      startsAt: 1000,
      endsAt: null,
      terminatedAt: null,
      terminationReason: null,
      winnerGroupId: null,
      groups: groupIds.map((groupId) => ({ id: groupId, weight: 5000, isDropped: false })),
      rollout: {
        percent: 10,
        status: "ramping",
        pausedAt: null,
        steps: [{ at: 2000, percent: 50, state: "pending" }],
        history: [{ at: 1000, action: "set", percent: 10 }]
      },
      phases: [{ from: 1000, weights: [5000, 5000], percent: 10 }]
    },
    events: [
      { type: "started", at: 1000 },
      { type: "rolloutChanged", at: 1000, action: "set" }
    ],
    createdBy: { id: UserId.make("00000000-0000-4000-8000-000000000001"), email: "ada@studio.test" },
    createdAt,
    updatedAt: createdAt
  } satisfies StoredExperiment
})

const ended = (experiment: StoredExperiment): StoredExperiment => ({
  ...experiment,
  progress: { ...experiment.progress, status: "terminated", terminatedAt: 3000, terminationReason: "done" }
})

for (const [label, store] of stores) {
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
        const everyone = yield* repo.everyOpen
        assert.deepStrictEqual(yield* repo.list(one.environmentId), [one, over])
        assert.deepStrictEqual(yield* repo.open(one.environmentId), [one])
        assert.isTrue(everyone.some(({ id }) => id === one.id) && !everyone.some(({ id }) => id === two.id))
        yield* (yield* ProjectRepo).remove(one.applicationId)
        assert.deepStrictEqual(yield* repo.list(one.environmentId), [])
      })
    )
  })
}

const pick = ({ applicationId, environmentId }: StoredExperiment) => ({ applicationId, environmentId })
