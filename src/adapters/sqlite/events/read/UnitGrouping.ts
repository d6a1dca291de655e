import type { Dimension, GroupValues } from "../../../../domain/analytics/filter/Breakdown.ts"
import { RowGrouping } from "./RowGrouping.ts"
import type { Snapshot } from "./Snapshot.ts"

/** The groups of units: each unit is in one. */
export interface UnitGrouping {
  /** By unit number, the place of its group. */
  readonly groupOf: ArrayLike<number>
  readonly groups: ReadonlyArray<GroupValues>
}

/**
 * Groups units by dimensions that belong to them: a property by its latest value, a cohort, an experiment; not an argument, of which each
 * marker has its own.
 */
export const unitGrouping = (dimensions: ReadonlyArray<Dimension>, snapshot: Snapshot): UnitGrouping => {
  const grouping = new RowGrouping(dimensions, "ofUnits", [], snapshot)
  const groupOf = Uint32Array.from({ length: snapshot.environment.units }, (_, unit) => grouping.of(unit, 0, 0))
  return { groupOf, groups: grouping.groups }
}
