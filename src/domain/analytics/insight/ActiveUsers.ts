import { startOf } from "../../Calendar.ts"
import { bucketAt, bucketsOf, type TimeSpan } from "../time/Buckets.ts"
import type { TimeRange } from "../time/TimeRange.ts"

/**
 * The starts of the local days up to the end of the range, from so many days before its first. Days are counted as the zone has them: a date
 * that it skipped when it crossed the date line is none.
 */
const dayStarts = ({ calendar, range }: TimeRange, before: number): ReadonlyArray<number> => {
  const { boundaries } = bucketsOf(calendar, "day", range)
  const earlier = [boundaries[0]!]
  while (earlier.length <= before) earlier.push(startOf(calendar, "day", earlier[earlier.length - 1]! - 1))
  return [...earlier.reverse(), ...boundaries.slice(1)]
}

/**
 * The time spans of the measure `activeUsers`: for each bucket, and last for the whole range, the `days` local days that end with its last
 * day. Those of an hour within the range reach to the end of its day even where the range ends before, so that an hour counts the same
 * whatever the range; those of a bucket that the range cuts, and of the whole, end with the range.
 */
export const activeSpans = (time: TimeRange, days: 1 | 7 | 30): ReadonlyArray<TimeSpan> => {
  const { range, buckets } = time
  const starts = dayStarts(time, days - 1)
  const until = (end: number, latest: number): TimeSpan => {
    const last = bucketAt(starts, Math.min(end, range.to) - 1)
    return { from: starts[last + 1 - days]!, to: Math.min(starts[last + 1]!, latest) }
  }
  const ends = buckets.boundaries.slice(1)
  return [...ends.map((end) => until(end, end <= range.to ? Infinity : range.to)), until(range.to, range.to)]
}
