import { nextStart, startOf, type Calendar } from "../../Calendar.ts"
import type { TimeSpan } from "../../analytics/time/Buckets.ts"
import { dayMillis, hourMillis } from "../../Durations.ts"
import type { Zone } from "../../Zone.ts"
import type { AlertCondition, WindowStep } from "./AlertJudgement.ts"

/** The newest window that ended at least `delay` milliseconds ago: [from, to) in epoch ms. */
export const newestWindow = (calendar: Calendar, step: WindowStep, now: number, delay: number): TimeSpan => {
  const to = startOf(calendar, step, now - delay)
  return { from: startOf(calendar, step, to - 1), to }
}

/** When the window after that one can be looked at. */
export const nextLookAt = (calendar: Calendar, step: WindowStep, window: TimeSpan, delay: number): number =>
  nextStart(calendar, step, window.to) + delay

/** What has to be asked to judge the last `looks` windows that end with the window: with a day more for changes of the clock. */
export const rangeFor = (
  calendar: Calendar,
  step: WindowStep,
  window: TimeSpan,
  condition: AlertCondition,
  looks: number
): TimeSpan => {
  const length = step === "hour" ? hourMillis : dayMillis
  const before = condition.kind === "change" ? (condition.weeks * 7 + 1) * dayMillis : 0
  return { from: startOf(calendar, step, window.from - (looks - 1) * length - before), to: window.to }
}

/** The hour of the week, or the day of it, at which a window starts. */
export const slotOf = (zone: Zone, step: WindowStep, start: number): number => {
  const local = start + zone.offsetAt(start)
  return step === "hour" ? Math.floor(local / hourMillis) % 168 : Math.floor(local / dayMillis) % 7
}
