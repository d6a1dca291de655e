import { bucketAt, type TimeSpan } from "../time/Buckets.ts"
import { ColumnBits } from "./ColumnBits.ts"
import { lastInterval, rollingLength, startRange } from "./RetentionCells.ts"
import type { RetentionPlan } from "./RetentionPlan.ts"

/** The rows that a unit starts in and the cells it counts in, as indexes into the plan's periods and columns. */
export interface UnitCells {
  /** The periods with a start, ascending. */
  readonly cohorts: ReadonlyArray<number>
  /** For each of them `ColumnBits.words` numbers: a bit for each column in which the unit is retained. */
  readonly retained: ReadonlyArray<number>
}

const isAscending = (numbers: ReadonlyArray<number>): boolean => {
  for (let at = 1; at < numbers.length; at++) if (numbers[at - 1]! > numbers[at]!) return false
  return true
}

const ascending = (numbers: ReadonlyArray<number>): ReadonlyArray<number> =>
  isAscending(numbers) ? numbers : numbers.toSorted((a, b) => a - b)

/** Those of ascending numbers that are in the span. */
const within = (numbers: ReadonlyArray<number>, { from, to }: TimeSpan): ReadonlyArray<number> =>
  numbers.length === 0 || (numbers[0]! >= from && numbers[numbers.length - 1]! < to)
    ? numbers
    : numbers.filter((number) => number >= from && number < to)

/**
 * Writes to `found` the intervals of the given length, from 1 up to `last`, that at least `least` returns are after a start; ascending, as the
 * returns are. Answers how many these are. The first of the returns to be looked at is that at `from`.
 */
const findIntervals = (
  found: Array<number>,
  start: number,
  returns: ReadonlyArray<number>,
  from: number,
  { length, last, least }: { readonly length: number; readonly last: number; readonly least: number }
): number => {
  let [count, present, times, end] = [0, 0, 0, -Infinity]
  for (let at = from; at < returns.length; at++) {
    const instant = returns[at]!
    // Most returns are in the interval of the one before: to compare takes a fraction of a division.
    if (instant < end) times++
    else {
      present = Math.floor((instant - start) / length)
      if (present > last) break
      end = start + (present + 1) * length
      times = 1
    }
    if (times === least) found[count++] = present
  }
  return count
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
  const columns = new ColumnBits(plan.criterion)
  const rolling = { length: rollingLength[step], last: lastInterval(plan.criterion), least: minimumOccurrences }
  const last = boundaries.length - 1
  const counted = startRange(plan)
  /** Used for one start after the other: an array for each would be most of what the collector has to do. */
  const intervals: Array<number> = []

  /** The periods of the plan that hold at least `least` of the ascending instants, ascending. */
  const periodsOf = (instants: ReadonlyArray<number>, least: number): ReadonlyArray<number> => {
    const periods: Array<number> = []
    let period = instants.length === 0 ? -1 : bucketAt(boundaries, instants[0]!)
    let [times, end] = [0, -Infinity]
    for (const instant of instants) {
      if (instant >= end) {
        while (period < last && boundaries[period + 1]! <= instant) period++
        if (period >= last) break
        end = boundaries[period + 1]!
        times = 0
      }
      times++
      if (times === least && period >= 0) periods.push(period)
    }
    return periods
  }

  return (all, returns) => {
    const starts = within(ascending(all), counted)
    const returned = ascending(returns)
    const cohorts = periodsOf(starts, 1)
    const retained: Array<number> = []
    for (let word = cohorts.length * columns.words; word > 0; word--) retained.push(0)
    if (plan.window === "calendar") {
      const periods = periodsOf(returned, minimumOccurrences)
      for (let at = 0; at < cohorts.length; at++) columns.mark(retained, at, periods, periods.length, cohorts[at]!)
      return { cohorts, retained }
    }
    for (let at = 0, cohort = 0, from = 0; at < starts.length; at++) {
      const start = starts[at]!
      while (boundaries[cohorts[cohort]! + 1]! <= start) cohort++
      while (from < returned.length && returned[from]! - start < rolling.length) from++
      columns.mark(retained, cohort, intervals, findIntervals(intervals, start, returned, from, rolling), 0)
    }
    return { cohorts, retained }
  }
}
