import { dayMillis } from "../Durations.ts"

/**
 * Nothing that is planned to be done again and again (looks of alerts, attempts of deliveries) is planned so many
 * milliseconds ahead: what is, was planned by a clock that was ahead and has been set back.
 */
export const farthestPlanMillis = 2 * dayMillis

/** Whether what is planned for an instant is due at `now` (both epoch ms), where nothing is planned farther ahead than `farthest` milliseconds. */
export const isTimeCome = (plannedAt: number, now: number, farthest: number = farthestPlanMillis): boolean =>
  plannedAt <= now || plannedAt > now + farthest
