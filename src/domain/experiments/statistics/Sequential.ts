import type { Difference } from "./Difference.ts"
import type { Interval } from "./Interval.ts"

/** The number of units at which the interval is tightest, unless an experiment sets another. */
export const defaultTuning = 5_000

export interface Sequential {
  readonly interval: Interval
  readonly pValue: number
}

/**
 * The parameter rho for which a confidence sequence of level `alpha` in (0, 1) is tightest at `tuning` > 0 units
 * (Waudby-Smith et al., arXiv:2103.06476v7, eq. 161).
 */
export const rho = (alpha: number, tuning: number): number => {
  const surprise = -2 * Math.log(alpha)
  return Math.sqrt((surprise + Math.log(surprise + 1)) / tuning)
}

/**
 * Half the width of the interval around an estimate from `units` > 0 units (eq. 9, written with the standard error).
 */
export const halfWidth = (standardError: number, units: number, alpha: number, rho: number): number => {
  const spread = units * rho ** 2 + 1
  return standardError * Math.sqrt(((2 * spread) / (units * rho ** 2)) * Math.log(Math.sqrt(spread) / alpha))
}

/**
 * An asymptotic confidence sequence: it holds at all looks together with probability 1 - alpha, so one may look and
 * stop at any time. The p-value (eq. 155) is at most alpha exactly when the interval excludes 0.
 */
export const test = (difference: Difference, alpha: number, tuning: number = defaultTuning): Sequential => {
  const { estimate, standardError, units } = difference
  const tightest = rho(alpha, tuning)
  const spread = units * tightest ** 2 + 1
  const logEvidence = ((estimate / standardError) ** 2 * units * tightest ** 2) / (2 * spread) - Math.log(spread) / 2
  const width = halfWidth(standardError, units, alpha, tightest)
  return { interval: [estimate - width, estimate + width], pValue: Math.min(1, Math.exp(-logEvidence)) }
}
