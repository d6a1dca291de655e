import type { EnvironmentId } from "../Ids.ts"
import type { Exposure } from "./Exposure.ts"
import { groupIn, type StoredAssignment } from "./StoredAssignment.ts"

/** The first exposures that assignments tell of. */
export const exposuresOf = (
  environmentId: EnvironmentId,
  assignments: ReadonlyArray<StoredAssignment>
): ReadonlyArray<Exposure> => {
  const exposures: Array<Exposure> = []
  for (const assignment of assignments) {
    const { experimentId, unitType, distinctId, firstExposedAt } = assignment
    const groupId = groupIn(assignment)
    if (groupId !== null && firstExposedAt !== null)
      exposures.push({ environmentId, experimentId, groupId, unitType, distinctId, at: firstExposedAt })
  }
  return exposures
}
