export interface Tally {
  /** Relative to the other weights; 0 takes no units. */
  readonly weight: number
  /** The number of units assigned so far. */
  readonly assigned: number
}

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
