import type { Exposure } from "../../../src/domain/experiments/Exposure.ts"
import { groupIn, type StoredAssignment } from "../../../src/domain/experiments/StoredAssignment.ts"
import { type EnvironmentId, ExperimentGroupId } from "../../../src/domain/Ids.ts"

/** The exposure of a unit in the group that it is in, at an instant (epoch ms). */
export const exposureOf = (environmentId: EnvironmentId, assignment: StoredAssignment, at: number): Exposure => ({
  environmentId,
  experimentId: assignment.experimentId,
  groupId: groupIn(assignment) ?? ExperimentGroupId.make(1),
  unitType: assignment.unitType,
  distinctId: assignment.distinctId,
  at
})
