import { DateTime, Effect } from "effect"
import type { StoredExperiment } from "../../../src/domain/experiments/StoredExperiment.ts"
import { type ApplicationId, ConfigurationId, type EnvironmentId, UserId } from "../../../src/domain/Ids.ts"
import { ExperimentRepo } from "../../../src/ports/experiments/ExperimentRepo.ts"
import { aProject } from "../analytics/SavedQueries.ts"

const createdAt = DateTime.unsafeMake(1_772_323_199_007)

/** A running experiment of the environment, which is not stored yet. */
export const anExperimentOf = Effect.fnUntraced(function* (applicationId: ApplicationId, environmentId: EnvironmentId) {
  const { id, groupIds } = yield* (yield* ExperimentRepo).newIds(2)
  return {
    id,
    applicationId,
    environmentId,
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
    assignedBefore: [3, 1],
    events: [
      { type: "started", at: 1000 },
      { type: "rolloutChanged", at: 1000, action: "set" }
    ],
    createdBy: { id: UserId.make("00000000-0000-4000-8000-000000000001"), email: "ada@studio.test" },
    createdAt,
    updatedAt: createdAt
  } satisfies StoredExperiment
})

/** The same, of a project of its own. */
export const anExperiment = Effect.flatMap(aProject, ({ application, production }) =>
  anExperimentOf(application.id, production)
)
