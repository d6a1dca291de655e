import { bucketAt } from "../time/Buckets.ts"
import { type RetentionColumn, columnsOf, lastInterval, rollingLength, startRange } from "./RetentionCells.ts"
import type { RetentionPlan } from "./RetentionPlan.ts"

/** The rows that a unit starts in and the cells it counts in, as indexes into the plan's periods and columns. */
export interface UnitCells {
  /** The periods with a start, ascending. */
  readonly cohorts: ReadonlyArray<number>
  /** retained[c] belongs to cohorts[c]: for each column, whether the unit is retained. */
  readonly retained: ReadonlyArray<ReadonlyArray<boolean>>
}

const isAscending = (numbers: ReadonlyArray<number>): boolean =>
  numbers.every((number, at) => at === 0 || numbers[at - 1]! <= number)

const ascending = (numbers: ReadonlyArray<number>): ReadonlyArray<number> =>
  isAscending(numbers) ? numbers : numbers.toSorted((a, b) => a - b)

/** The numbers that occur at least `least` times, each once. Both lists are ascending. */
const often = (numbers: ReadonlyArray<number>, least: number): ReadonlyArray<number> => {
  const found: Array<number> = []
  let [last, times] = [Number.NaN, 0]
  for (const number of numbers) {
    times = number === last ? times + 1 : 1
    last = number
    if (times === least) found.push(number)
  }
  return found
}

/** Marks the columns that hold one of the intervals, which `from` is taken off from. Columns begin in ascending order. */
const mark = (
  flags: Array<boolean>,
  columns: ReadonlyArray<RetentionColumn>,
  periods: ReadonlyArray<number>,
  from: number
): void => {
  let at = 0
  for (let column = 0; column < columns.length; column++) {
    const [least, most] = [columns[column]![0], columns[column]![1]]
    while (at < periods.length && periods[at]! - from < least) at++
    if (at === periods.length) return
    if (periods[at]! - from <= most) flags[column] = true
  }
}

/**
 * The intervals of the given length, from 1 up to `last`, that at least `least` returns are after a start; ascending, as the returns are. The
 * first of the returns to be looked at is that at `from`.
 */
const intervalsSince = (
  start: number,
  returns: ReadonlyArray<number>,
  from: number,
  { length, last, least }: { readonly length: number; readonly last: number; readonly least: number }
): ReadonlyArray<number> => {
  const found: Array<number> = []
  let [present, times] = [0, 0]
  for (let at = from; at < returns.length; at++) {
    const interval = Math.floor((returns[at]! - start) / length)
    if (interval > last) break
    times = interval === present ? times + 1 : 1
    present = interval
    if (times === least) found.push(interval)
  }
  return found
}

/**
 * Cells of one unit (of one group) from the instants of its starts and returns, in any order. With `calendar` an interval is a
 * distance of periods; with `rolling24h` it is counted from each start to returns however late, and the row is retained when any of its
 * starts is.
 */
export const unitRetention = (
  plan: RetentionPlan
): ((starts: ReadonlyArray<number>, returns: ReadonlyArray<number>) => UnitCells) => {
  const { minimumOccurrences } = plan
  const { boundaries, step } = plan.periods
  const columns = columnsOf(plan.criterion)
  const rolling = { length: rollingLength[step], last: lastInterval(plan.criterion), least: minimumOccurrences }
  const last = boundaries.length - 1
  const counted = startRange(plan)

  /** The periods of ascending instants, ascending, without those outside of the plan's. */
  const periodsOf = (instants: ReadonlyArray<number>): ReadonlyArray<number> => {
    const periods: Array<number> = []
    let period = instants.length === 0 ? -1 : bucketAt(boundaries, instants[0]!)
    for (const instant of instants) {
      while (period < last && boundaries[period + 1]! <= instant) period++
      if (period >= last) break
      if (period >= 0) periods.push(period)
    }
    return periods
  }

  return (all, returns) => {
    const starts = ascending(all.filter((start) => start >= counted.from && start < counted.to))
    const returned = ascending(returns)
    const cohorts = often(periodsOf(starts), 1)
    const retained = cohorts.map(() => columns.map(() => false))
    if (plan.window === "calendar") {
      const periods = often(periodsOf(returned), minimumOccurrences)
      for (const [at, cohort] of cohorts.entries()) mark(retained[at]!, columns, periods, cohort)
      return { cohorts, retained }
    }
    for (let at = 0, cohort = 0, from = 0; at < starts.length; at++) {
      const start = starts[at]!
      while (boundaries[cohorts[cohort]! + 1]! <= start) cohort++
      while (from < returned.length && returned[from]! - start < rolling.length) from++
      mark(retained[cohort]!, columns, intervalsSince(start, returned, from, rolling), 0)
    }
    return { cohorts, retained }
  }
}
