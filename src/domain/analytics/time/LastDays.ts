import { nextStart, startOf } from "../../Calendar.ts"
import type { Zone } from "../../Zone.ts"

/**
 * The starts (epoch ms) of the last `count` days of the zone, today included, and then the start of tomorrow. A day that the zone
 * skipped when it crossed the date line is no day.
 */
export const lastDays = (zone: Zone, now: number, count: number): ReadonlyArray<number> => {
  // Days begin the same whatever day a week begins with.
  const calendar = { zone, weekStart: 0 } as const
  const today = startOf(calendar, "day", now)
  const starts = [nextStart(calendar, "day", today), today]
  while (starts.length <= count) starts.push(startOf(calendar, "day", starts[starts.length - 1]! - 1))
  return starts.reverse()
}
