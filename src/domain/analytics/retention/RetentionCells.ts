import type { Criterion } from "./RetentionPlan.ts"
import { dayMillis, hourMillis } from "../../Durations.ts"

/**
 * The intervals after the start, both ends included, in which a return counts for the column; the first interval is 1.
 */
export type Column = readonly [from: number, to: number]

/** The columns of a criterion, in order. */
export const columnsOf = (criterion: Criterion): ReadonlyArray<Column> => {
  if (criterion.type === "brackets") return criterion.brackets
  const { type, columns } = criterion
  return Array.from({ length: columns }, (_, i): Column => {
    const interval = i + 1
    if (type === "on") return [interval, interval]
    return type === "onOrBefore" ? [1, interval] : [interval, Infinity]
  })
}

/**
 * The intervals (from 1, ascending) with at least `minimumOccurrences` returns. `intervals` lists that of each return,
 * in any order.
 */
export const qualifying = (intervals: Iterable<number>, minimumOccurrences: number): ReadonlyArray<number> => {
  const counts = new Map<number, number>()
  for (const interval of intervals) if (interval >= 1) counts.set(interval, (counts.get(interval) ?? 0) + 1)
  return [...counts]
    .filter(([, count]) => count >= minimumOccurrences)
    .map(([interval]) => interval)
    .sort((a, b) => a - b)
}

/** Whether a start is retained in a column, given the intervals of its returns in ascending order. */
export const isRetained = (intervals: ReadonlyArray<number>, [from, to]: Column): boolean => {
  for (const interval of intervals) if (interval >= from) return interval <= to
  return false
}

/** Length in milliseconds of an interval of the rolling window. */
export const rollingLength: Record<"hour" | "day" | "week" | "month", number> = {
  hour: hourMillis,
  day: dayMillis,
  week: 7 * dayMillis,
  month: 30 * dayMillis
}
