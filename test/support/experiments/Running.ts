import { DateTime, Effect } from "effect"
import type { StoredExperiment } from "../../../src/domain/experiments/StoredExperiment.ts"
import type { ConfigurationId } from "../../../src/domain/Ids.ts"
import { ApplicationId, EnvironmentId } from "../../../src/domain/Ids.ts"
import { ExperimentRepo } from "../../../src/ports/experiments/ExperimentRepo.ts"
import type { Studio } from "../access/Studio.ts"

/** Begins at the first of 2026 and never ends. */
export const began = Date.UTC(2026, 0, 1)

/** An experiment of two groups on a configuration in production, of which the second adds `bonus: 2`; it takes nobody by itself. */
export const anExperimentOn = (
  { applicationId, production }: Pick<Studio, "applicationId" | "production">,
  baseConfigurationId: ConfigurationId,
  changes: Partial<StoredExperiment> = {},
  progress: Partial<StoredExperiment["progress"]> = {}
) =>
  Effect.gen(function* () {
    const repo = yield* ExperimentRepo
    const { id, groupIds } = yield* repo.newIds(2)
    const weights = [5000, 5000]
    return yield* repo.insert({
      id,
      applicationId: ApplicationId.make(applicationId),
      environmentId: EnvironmentId.make(production),
      revision: 1,
      name: `experiment ${id}`,
      description: null,
      hypothesis: null,
      unitType: "user",
      assignmentMode: "weightedHash",
      seed: `experiment-${id}`,
      hashVersion: 2,
      baseConfigurationId,
      groups: groupIds.map((groupId, ordinal) => ({
        id: groupId,
        name: ordinal === 0 ? "control" : "bonus",
        label: null,
        isControl: ordinal === 0,
        changeset: { operations: ordinal === 0 ? [] : [{ op: "set", path: ["bonus"], value: 2 }] }
      })),
      targeting: { cohortIds: [], conditions: [], newUsersOnly: false },
      autoAssignment: false,
      permanentEnrollment: true,
      exclusionLayer: null,
      holdoutPercent: 0,
      metrics: '{"goals":[],"guardrails":[]}',
      assignedBefore: [],
      events: [],
      createdBy: null,
      createdAt: DateTime.unsafeMake(began),
      updatedAt: DateTime.unsafeMake(began),
      ...changes,
      progress: {
        status: "active",
        startsAt: began,
        endsAt: null,
        terminatedAt: null,
        terminationReason: null,
        winnerGroupId: null,
        groups: groupIds.map((groupId, ordinal) => ({ id: groupId, weight: weights[ordinal]!, isDropped: false })),
        rollout: { percent: 100, status: "idle", pausedAt: null, steps: [], history: [] },
        phases: [{ from: began, weights, percent: 100 }],
        ...progress
      }
    })
  })
