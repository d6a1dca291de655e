import { hourMillis } from "../../Durations.ts"
import { nextStart, startOf } from "../../Calendar.ts"
import type { Buckets, TimeSpan } from "../time/Buckets.ts"
import { columnsOf, rollingLength } from "./RetentionCells.ts"
import type { RetentionPlan, RetentionSeries } from "./RetentionPlan.ts"
import type { TimeRange } from "../time/TimeRange.ts"

export interface RetentionPeriods {
  readonly periods: Buckets
  readonly firstRow: number
  readonly rows: number
  readonly startsIn?: TimeSpan | undefined
}

/** Milliseconds for which a marker may lie ahead of its receipt, and more. */
const ahead = hourMillis

/**
 * The periods a retention question looks at: one row for each bucket of its time. In calendar periods come after them as many as the
 * columns reach, and for onOrAfter all that markers can lie in at `now`; before them, when cells are dated by the return, as many as the
 * columns reach. Rolling intervals need no period after the rows. Starts count up to the end of the range, which may cut the last row.
 */
export const retentionPeriods = (
  { calendar, range, buckets }: TimeRange,
  { criterion, window, dateBy }: Pick<RetentionPlan, "criterion" | "window" | "dateBy">,
  now: number
): RetentionPeriods => {
  const { step } = buckets
  const rows = buckets.boundaries.length - 1
  const cutAt = (from: number) => (range.to < buckets.boundaries[rows]! ? { startsIn: { from, to: range.to } } : {})
  if (window === "rolling24h") return { periods: buckets, firstRow: 0, rows, ...cutAt(buckets.boundaries[0]!) }
  const reach = columnsOf(criterion).reduce((most, [from, to]) => Math.max(most, to === Infinity ? from : to), 0)
  const firstRow = dateBy === "return" ? reach : 0
  const earlier = [buckets.boundaries[0]!]
  while (earlier.length <= firstRow) earlier.push(startOf(calendar, step, earlier[earlier.length - 1]! - 1))
  const boundaries = earlier.reverse()
  const isEnough = (): boolean =>
    boundaries.length > firstRow + rows + reach &&
    (criterion.type !== "onOrAfter" || boundaries[boundaries.length - 1]! > now + ahead)
  while (!isEnough()) boundaries.push(nextStart(calendar, step, boundaries[boundaries.length - 1]!))
  const periods = { ...buckets, boundaries }
  return { periods, firstRow, rows, ...cutAt(boundaries[0]!) }
}

export interface RetentionValue {
  /** From 1; for brackets their position. */
  readonly interval: number
  readonly count: number
  /** Percent of the cohort; 0 for an empty one. */
  readonly rate: number
  /** Whether no further unit can come to be counted here, because the time for it has passed. */
  readonly complete: boolean
}

export interface RetentionCohort {
  /** Epoch ms. */
  readonly start: number
  readonly size: number
  readonly values: ReadonlyArray<RetentionValue>
}

/** The complete cells of a column together: cells that could still grow are left out. */
export interface RetentionTotal extends RetentionValue {
  /** The units of the rows whose cell is complete, of which `rate` is the percentage. */
  readonly size: number
  /** False only while no row's cell is complete, so that there is no number yet. */
  readonly complete: boolean
}

export interface RetentionTable {
  readonly cohorts: ReadonlyArray<RetentionCohort>
  /** `size` counts all rows, complete or not. */
  readonly total: { readonly size: number; readonly values: ReadonlyArray<RetentionTotal> }
}

const percent = (count: number, of: number): number => (of === 0 ? 0 : (100 * count) / of)

const completeBy = (plan: RetentionPlan, period: number, column: number): number => {
  const { boundaries, step } = plan.periods
  const [from, to] = columnsOf(plan.criterion)[column] ?? [0, 0]
  const reach = plan.dateBy === "return" ? 0 : to === Infinity ? from : to
  if (plan.window === "rolling24h") return boundaries[period + 1]! + (reach + 1) * rollingLength[step]
  return boundaries[period + reach + 1] ?? Infinity
}

/** Rates, completeness and totals of one series as of `now` (epoch ms). */
export const retentionTable = (plan: RetentionPlan, { rows }: RetentionSeries, now: number): RetentionTable => {
  const cohorts = rows.map(({ size, cells }, row) => ({
    start: plan.periods.boundaries[plan.firstRow + row]!,
    size,
    values: cells.map(({ count, of }, column) => ({
      interval: column + 1,
      count,
      rate: percent(count, of),
      complete: completeBy(plan, plan.firstRow + row, column) <= now
    }))
  }))
  const values = columnsOf(plan.criterion).map((_, column): RetentionTotal => {
    const complete = rows.flatMap(({ cells }, row) => (cohorts[row]!.values[column]!.complete ? [cells[column]!] : []))
    const count = complete.reduce((sum, cell) => sum + cell.count, 0)
    const size = complete.reduce((sum, cell) => sum + cell.of, 0)
    return { interval: column + 1, count, size, rate: percent(count, size), complete: complete.length > 0 }
  })
  return { cohorts, total: { size: rows.reduce((sum, { size }) => sum + size, 0), values } }
}
