import type { Calendar, Step } from "../../Calendar.ts"
import { nextStart, startOf } from "../../Calendar.ts"

/** [from, to) in epoch ms. */
export interface TimeSpan {
  readonly from: number
  readonly to: number
}

/**
 * Consecutive calendar periods in a zone. Bucket i is [boundaries[i], boundaries[i + 1]), so there is one more boundary
 * than buckets.
 */
export interface Buckets {
  readonly step: Step
  /** IANA name. */
  readonly zone: string
  /** Epoch ms, strictly ascending. */
  readonly boundaries: ReadonlyArray<number>
}

/** The number of buckets. */
export const countOf = (buckets: Buckets): number => buckets.boundaries.length - 1

/** The calendar periods that cover a range; the first begins at or before it. None if the range is empty. */
export const bucketsOf = (calendar: Calendar, step: Step, range: TimeSpan): Buckets => {
  const boundaries = [startOf(calendar, step, range.from)]
  for (let at = boundaries[0]!; at < range.to && range.from < range.to;) {
    at = nextStart(calendar, step, at)
    boundaries.push(at)
  }
  return { step, zone: calendar.zone.name, boundaries }
}

/**
 * The index of the bucket that contains the instant; -1 before the first, the number of buckets at or after the end.
 */
export const bucketAt = (boundaries: ReadonlyArray<number>, instant: number): number => {
  let low = 0
  let high = boundaries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (boundaries[middle]! <= instant) low = middle + 1
    else high = middle
  }
  return low - 1
}
