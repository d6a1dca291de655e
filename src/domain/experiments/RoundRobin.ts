export interface Tally {
  /** Relative; 0 takes no units. */
  readonly weight: number
  /** Units assigned so far. */
  readonly assigned: number
}

/** Index of the group with the fewest assignments for its weight, the earlier one on a tie; null when no group has weight. */
export const next = (groups: ReadonlyArray<Tally>): number | null => {
  let chosen: number | null = null
  for (const [index, { weight, assigned }] of groups.entries()) {
    if (weight <= 0) continue
    const best = chosen === null ? null : groups[chosen]!
    if (best === null || assigned * best.weight < best.assigned * weight) chosen = index
  }
  return chosen
}
