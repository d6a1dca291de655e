import { bucketAt } from "../time/Buckets.ts"
import { type RetentionColumn, columnsOf, isRetained, qualifying, rollingLength, startRange } from "./RetentionCells.ts"
import type { RetentionPlan } from "./RetentionPlan.ts"

/** The rows that a unit starts in and the cells it counts in, as indexes into the plan's periods and columns. */
export interface UnitCells {
  /** The periods with a start, ascending. */
  readonly cohorts: ReadonlyArray<number>
  /** retained[c] belongs to cohorts[c]: for each column, whether the unit is retained. */
  readonly retained: ReadonlyArray<ReadonlyArray<boolean>>
}

const flags = (
  starts: ReadonlyArray<ReadonlyArray<number>>,
  columns: ReadonlyArray<RetentionColumn>
): ReadonlyArray<boolean> => columns.map((column) => starts.some((intervals) => isRetained(intervals, column)))

/**
 * Cells of one unit (of one group) from the instants of its starts and returns, in any order. With `calendar` an interval is a
 * distance of periods; with `rolling24h` it is counted from each start to returns however late, and the row is retained when any of its
 * starts is.
 */
export const unitRetention = (
  plan: RetentionPlan
): ((starts: ReadonlyArray<number>, returns: ReadonlyArray<number>) => UnitCells) => {
  const { boundaries, step } = plan.periods
  const columns = columnsOf(plan.criterion)
  const length = rollingLength[step]
  const last = boundaries.length - 1
  const periodOf = (instant: number): number => bucketAt(boundaries, instant)
  const isInside = (period: number): boolean => period >= 0 && period < last

  const counted = startRange(plan)

  return (all, returns) => {
    const starts = all.filter((start) => start >= counted.from && start < counted.to)
    const periods = returns.map(periodOf).filter(isInside)
    const cohorts = [...new Set(starts.map(periodOf))].filter(isInside).sort((a, b) => a - b)
    const intervalsOf = (cohort: number): ReadonlyArray<ReadonlyArray<number>> =>
      plan.window === "calendar"
        ? [periods.map((period) => period - cohort)]
        : starts
            .filter((start) => periodOf(start) === cohort)
            .map((start) => returns.map((instant) => Math.floor((instant - start) / length)))
    const retained = cohorts.map((cohort) =>
      flags(
        intervalsOf(cohort).map((intervals) => qualifying(intervals, plan.minimumOccurrences)),
        columns
      )
    )
    return { cohorts, retained }
  }
}
