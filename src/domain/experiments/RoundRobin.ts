import type { ExperimentGroupId } from "../Ids.ts"

export interface Tally {
  /** Relative to the other weights; 0 takes no units. */
  readonly weight: number
  /** The number of units assigned since the group got the weight; below 0 where more have left it since. */
  readonly assigned: number
}

interface GroupCount {
  readonly groupId: ExperimentGroupId
  readonly count: number
}

/** How many assignments each of the groups has, given counts by group and anything else. */
export const assignedTo = (
  groups: ReadonlyArray<{ readonly id: ExperimentGroupId }>,
  counts: ReadonlyArray<GroupCount>
): ReadonlyArray<number> =>
  groups.map(({ id }) => counts.reduce((sum, { groupId, count }) => (groupId === id ? sum + count : sum), 0))

/**
 * The index of the group with the fewest assignments for its weight, ties to the earlier one; null if no group has
 * weight.
 */
export const next = (groups: ReadonlyArray<Tally>): number | null => {
  let chosen: number | null = null
  for (const [index, { weight, assigned }] of groups.entries()) {
    if (weight <= 0) continue
    const best = chosen === null ? null : groups[chosen]!
    if (best === null || assigned * best.weight < best.assigned * weight) chosen = index
  }
  return chosen
}
