import { shift, startOf } from "../../Calendar.ts"
import type { Range } from "../time/Buckets.ts"
import type { TimeRange } from "../time/TimeRange.ts"

/**
 * The time spans of the measure `activeUsers`: for each bucket, and last for the whole range, the `days` local days
 * that end with its last day (or today).
 */
export const activeSpans = ({ calendar, range, buckets }: TimeRange, days: 1 | 7 | 30): ReadonlyArray<Range> => {
  const until = (end: number): Range => {
    const to = Math.min(end, range.to)
    const last = startOf(calendar, "day", to - 1)
    const from = startOf(calendar, "day", shift(calendar.zone, last, 1 - days, "day"))
    return { from, to: Math.min(startOf(calendar, "day", shift(calendar.zone, last, 1, "day")), range.to) }
  }
  return [...buckets.boundaries.slice(1), range.to].map(until)
}
