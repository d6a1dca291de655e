import { daysUntil } from "../../../domain/experiments/results/Pace.ts"
import { unitsPerArm } from "../../../domain/experiments/statistics/Power.ts"
import type { Answer } from "../../api/Wire.ts"
import { changeText, countText, numberText } from "../../text/Numbers.ts"

export type Estimate = Answer<"experiments.estimate">
export type MetricEstimate = Estimate["metrics"][number]

/** What it takes to see a change of a metric. */
export interface Needed {
  readonly unitsPerGroup: number
  /** Null: nobody comes, so that it never ends. */
  readonly days: number | null
}

/**
 * The units that each group needs to see a relative change (0.1 for +10 %), and the days until the smallest group has them: `share` of all
 * players (0..1) come into it. Null where the metric has no value that could change, or does not vary.
 */
export const neededFor = (
  { mean, variance }: Pick<MetricEstimate, "mean" | "variance">,
  change: number,
  share: number,
  unitsByDay: ReadonlyArray<number>
): Needed | null => {
  const effect = Math.abs((mean ?? 0) * change)
  if (variance === null || !(variance > 0) || !(effect > 0)) return null
  const unitsPerGroup = unitsPerArm(variance, effect)
  // The present day is not over: its pace would make every plan too long.
  return { unitsPerGroup, days: share > 0 ? daysUntil(unitsByDay.slice(0, -1), unitsPerGroup / share) : null }
}

const longest = 730

/** `To see +10 % you need 11,516 players a group: about 31 days at today's pace.` */
export const neededWords = (needed: Needed | null, change: number): string => {
  const seen = changeText(change * 100).replace(".0", "")
  if (needed === null) return `Nobody does it yet, so nothing can be said about ${seen}.`
  const { unitsPerGroup, days } = needed
  const units = `To see ${seen} you need ${countText(unitsPerGroup, "player")} a group`
  if (days === null) return `${units}, and nobody comes.`
  return days > longest
    ? `${units}: more than two years at today's pace.`
    : `${units}: about ${days === 1 ? "1 day" : `${numberText(days)} days`} at today's pace.`
}
