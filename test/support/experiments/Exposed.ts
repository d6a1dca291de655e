import type { Exposure } from "../../../src/domain/experiments/Exposure.ts"
import { groupIn, type StoredAssignment } from "../../../src/domain/experiments/StoredAssignment.ts"
import { type EnvironmentId, ExperimentGroupId, type ExperimentId } from "../../../src/domain/Ids.ts"

/** An assignment of a unit that has not been exposed, to group 1 unless another is given. */
export const assigned = (
  experimentId: ExperimentId,
  distinctId: string,
  more: Partial<StoredAssignment> = {}
): StoredAssignment => ({
  experimentId,
  unitType: "user",
  distinctId,
  automaticGroupId: ExperimentGroupId.make(1),
  overrideGroupId: null,
  status: "active",
  source: "weightedHash",
  version: 1,
  assignedAt: 1000,
  firstExposedAt: null,
  ...more
})

/** The exposure of a unit in the group that it is in, at an instant (epoch ms). */
export const exposureOf = (environmentId: EnvironmentId, assignment: StoredAssignment, at: number): Exposure => ({
  environmentId,
  experimentId: assignment.experimentId,
  groupId: groupIn(assignment) ?? ExperimentGroupId.make(1),
  unitType: assignment.unitType,
  distinctId: assignment.distinctId,
  at
})
