import type { Difference } from "./Difference.ts"
import type { Interval } from "./Interval.ts"
import { around } from "./Interval.ts"
import { defaultTuning, rho } from "./Sequential.ts"

export interface SequentialBound {
  readonly interval: Interval
  /** Null if the search did not converge. */
  readonly pValue: number | null
}

/** Half-width of the one-sided confidence sequence (Waudby-Smith et al., arXiv:2103.06476v7, eq. 134). */
export const halfWidth = (standardError: number, units: number, alpha: number, rho: number): number => {
  const spread = units * rho ** 2 + 1
  const ofLevel = Math.log(1 + Math.sqrt(spread) / (2 * alpha))
  return standardError * Math.sqrt(((2 * spread) / (units * rho ** 2)) * ofLevel)
}

const [smallest, largest, tolerance] = [1e-5, 0.4999, 1e-6]

/** The level at which the bound reaches 0, by bisection to within 1e-6; limited to 0.00001 to 0.4999. */
const levelAtZero = (gap: (alpha: number) => number): number | null => {
  if (gap(smallest) > 0) return smallest
  if (gap(largest) < 0) return largest
  let [low, high] = [smallest, largest]
  for (let k = 0; k < 100; k++) {
    const middle = (low + high) / 2
    const distance = gap(middle)
    if (distance < 0) low = middle
    else high = middle
    if (Math.abs(distance) < tolerance) return (low + high) / 2
  }
  return null
}

/** A one-sided confidence sequence for an effect that is `greater` or `lesser` than 0; `alpha` in (0, 0.5). */
export const test = (
  difference: Difference,
  alpha: number,
  alternative: "greater" | "lesser",
  tuning: number = defaultTuning
): SequentialBound => {
  const { estimate, standardError, units } = difference
  const tightest = rho(2 * alpha, tuning)
  const widthAt = (level: number) => halfWidth(standardError, units, level, tightest)
  const favourable = alternative === "greater" ? estimate : -estimate
  return {
    interval: around(estimate, widthAt(alpha), alternative),
    pValue: levelAtZero((level) => favourable - widthAt(level))
  }
}
