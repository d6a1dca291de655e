import { shift, startOf } from "../../Calendar.ts"
import type { TimeSpan } from "../time/Buckets.ts"
import type { TimeRange } from "../time/TimeRange.ts"

/**
 * The time spans of the measure `activeUsers`: for each bucket, and last for the whole range, the `days` local days that end with its last
 * day. Those of an hour within the range reach to the end of its day even where the range ends before, so that an hour counts the same
 * whatever the range; those of a bucket that the range cuts, and of the whole, end with the range.
 */
export const activeSpans = ({ calendar, range, buckets }: TimeRange, days: 1 | 7 | 30): ReadonlyArray<TimeSpan> => {
  const until = (end: number, latest: number): TimeSpan => {
    const last = startOf(calendar, "day", Math.min(end, range.to) - 1)
    const from = startOf(calendar, "day", shift(calendar.zone, last, 1 - days, "day"))
    return { from, to: Math.min(startOf(calendar, "day", shift(calendar.zone, last, 1, "day")), latest) }
  }
  const ends = buckets.boundaries.slice(1)
  return [...ends.map((end) => until(end, end <= range.to ? Infinity : range.to)), until(range.to, range.to)]
}
