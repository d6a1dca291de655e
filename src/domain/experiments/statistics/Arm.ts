import type { RatioSample, ValueSample } from "./Sufficient.ts"
import { covarianceOf, meanOf, varianceOf } from "./Sufficient.ts"

/**
 * What a comparison needs to know of one arm, whatever the metric: mean and per-unit variance, and, when adjusted by CUPED,
 * those of the covariate, their covariance and the coefficient theta. Without adjustment theta is 0.
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

export const ofValue = ({ n, value }: ValueSample): Arm => ({
  kind: "value",
  n,
  mean: meanOf(n, value),
  variance: varianceOf(n, value),
  ...unadjusted
})

/** Ratio of means with its variance by the delta method (Deng et al. 2018, arXiv:1803.06336, §2.2). A zero denominator gives 0 and 0. */
export const ofRatio = ({ n, numerator, denominator, numeratorDenominator }: RatioSample): Arm => {
  if (denominator.sum === 0 || n <= 1) return { kind: "ratio", n, mean: 0, variance: 0, ...unadjusted }
  const below = meanOf(n, denominator)
  const ratio = numerator.sum / denominator.sum
  const covariance = covarianceOf(n, numerator, denominator, numeratorDenominator)
  const spread = varianceOf(n, numerator) + ratio ** 2 * varianceOf(n, denominator) - 2 * ratio * covariance
  return { kind: "ratio", n, mean: ratio, variance: spread / below ** 2, ...unadjusted }
}

/** Mean after adjustment. */
export const adjustedMean = (arm: Arm): number => arm.mean - arm.theta * arm.covariateMean

/** Per-unit variance of factor·y - theta·x; with factor 1 the variance after adjustment. */
export const adjustedVariance = (arm: Arm, factor = 1): number =>
  factor ** 2 * arm.variance + arm.theta ** 2 * arm.covariateVariance - 2 * factor * arm.theta * arm.covariance
