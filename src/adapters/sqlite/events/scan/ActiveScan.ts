import type { TimeSpan } from "../../../../domain/analytics/time/Buckets.ts"
import type { InsightPlan, Metric, Points } from "../../../../domain/analytics/insight/InsightPlan.ts"
import { activeUnits, clipped, newUnits } from "./ActiveUnits.ts"
import type { Snapshot } from "../read/Snapshot.ts"
import { countUnits, noUnits, unite, type UnitBits } from "./UnitBits.ts"

const pointsOf = (sets: ReadonlyArray<UnitBits>, units: number, cumulative: boolean): Points => {
  const all = noUnits(units)
  const values = sets.map((words) => {
    unite(all, words)
    return countUnits(cumulative ? all : words)
  })
  return { values, aggregate: countUnits(all) }
}

/**
 * Answers a metric that counts units of any marker, without groups, from the stored activity; null where it takes a
 * scan.
 */
export const scanActive = (
  plan: InsightPlan,
  { selector, measure }: Metric,
  snapshot: Snapshot,
  ranges: ReadonlyArray<TimeSpan>
): Points | null => {
  const { units } = snapshot.environment
  if (measure.type === "activeUsers") {
    const counts = activeUnits(snapshot, selector, plan.filter, measure.spans)?.map(countUnits)
    return counts === undefined ? null : { values: counts.slice(0, -1), aggregate: counts.at(-1) ?? null }
  }
  const within = clipped(ranges, plan.range)
  const sets =
    measure.type === "uniqueUsers"
      ? activeUnits(snapshot, selector, plan.filter, within)
      : measure.type === "firstTimeUsers"
        ? newUnits(snapshot, selector, plan.filter, within)
        : null
  return sets === null ? null : pointsOf(sets, units, plan.cumulative)
}
