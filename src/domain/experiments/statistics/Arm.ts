import type { RatioSample, ValueSample } from "./Sufficient.ts"
import { covarianceOf, meanOf, varianceOf } from "./Sufficient.ts"

/**
 * What comparisons need to know about one arm, for any metric: mean and per-unit variance and, if adjusted by CUPED,
 * those of the covariate, the covariance and the coefficient theta. Without adjustment, theta is 0.
 */
export interface Arm {
  readonly kind: "value" | "ratio"
  readonly n: number
  readonly mean: number
  readonly variance: number
  readonly covariateMean: number
  readonly covariateVariance: number
  readonly covariance: number
  readonly theta: number
}

const unadjusted = { covariateMean: 0, covariateVariance: 0, covariance: 0, theta: 0 }

/** The arm of a proportion or mean metric. */
export const ofValue = ({ n, value }: ValueSample): Arm => ({
  kind: "value",
  n,
  mean: meanOf(n, value),
  variance: varianceOf(n, value),
  ...unadjusted
})

/**
 * The arm of a ratio metric: the ratio of means, its variance by the delta method (Deng et al. 2018, arXiv:1803.06336,
 * 2.2), which is 0 of one unit. A zero denominator gives mean and variance 0. Where all units have the same ratio, as of one price, rounding leaves some
 * variance, which may be negative: it counts as 0, as in `varianceOf`.
 */
export const ofRatio = ({ n, numerator, denominator, numeratorDenominator }: RatioSample): Arm => {
  const ratio = denominator.sum === 0 ? 0 : numerator.sum / denominator.sum
  if (denominator.sum === 0 || n <= 1) return { kind: "ratio", n, mean: ratio, variance: 0, ...unadjusted }
  const below = meanOf(n, denominator)
  const covariance = covarianceOf(n, numerator, denominator, numeratorDenominator)
  const spread = varianceOf(n, numerator) + ratio ** 2 * varianceOf(n, denominator) - 2 * ratio * covariance
  const squares = (numerator.sumSquares + ratio ** 2 * denominator.sumSquares) / (n - 1)
  const variance = Math.abs(spread) <= 1e-12 * squares ? 0 : spread / below ** 2
  return { kind: "ratio", n, mean: ratio, variance, ...unadjusted }
}

/** The mean after adjustment by CUPED. */
export const adjustedMean = (arm: Arm): number => arm.mean - arm.theta * arm.covariateMean

/** The per-unit variance of factor * y - theta * x; with factor 1, the variance after adjustment. */
export const adjustedVariance = (arm: Arm, factor = 1): number =>
  factor ** 2 * arm.variance + arm.theta ** 2 * arm.covariateVariance - 2 * factor * arm.theta * arm.covariance
