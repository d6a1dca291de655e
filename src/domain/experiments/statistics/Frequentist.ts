import type { Difference } from "./Difference.ts"
import type { Alternative, Interval } from "./Interval.ts"
import { around } from "./Interval.ts"
import * as StudentT from "./StudentT.ts"

export interface FixedHorizon {
  readonly statistic: number
  readonly degreesOfFreedom: number
  readonly pValue: number
  readonly interval: Interval
}

/**
 * Welch's t-test, valid if looked at once, at the planned end. `alpha` in (0, 1) is split between both ends of a
 * two-sided interval; a one-sided interval has one infinite end.
 */
export const test = (difference: Difference, alpha: number, alternative: Alternative = "different"): FixedHorizon => {
  const { estimate, standardError, degreesOfFreedom } = difference
  const statistic = estimate / standardError
  const tails = alternative === "different" ? 2 : 1
  const beyond = alternative === "different" ? Math.abs(statistic) : alternative === "greater" ? statistic : -statistic
  const halfWidth = StudentT.upperQuantile(alpha / tails, degreesOfFreedom) * standardError
  return {
    statistic,
    degreesOfFreedom,
    pValue: tails * StudentT.tail(beyond, degreesOfFreedom),
    interval: around(estimate, halfWidth, alternative)
  }
}
