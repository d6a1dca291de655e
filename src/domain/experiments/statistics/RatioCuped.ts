import type { Arm } from "./Arm.ts"
import { ofRatio } from "./Arm.ts"
import type { RatioCovariateSample, RatioSample } from "./Sufficient.ts"
import { covarianceOf } from "./Sufficient.ts"

const prior = (sample: RatioCovariateSample): RatioSample => ({
  n: sample.n,
  numerator: sample.priorNumerator,
  denominator: sample.priorDenominator,
  numeratorDenominator: sample.priorNumeratorPriorDenominator
})

const covariance = (sample: RatioCovariateSample, ratio: number, priorRatio: number): number => {
  const { n, numerator, denominator, priorNumerator, priorDenominator } = sample
  if (denominator.sum === 0 || priorDenominator.sum === 0) return 0
  const ofProducts =
    covarianceOf(n, numerator, priorNumerator, sample.numeratorPriorNumerator) -
    priorRatio * covarianceOf(n, numerator, priorDenominator, sample.numeratorPriorDenominator) -
    ratio * covarianceOf(n, denominator, priorNumerator, sample.denominatorPriorNumerator) +
    ratio * priorRatio * covarianceOf(n, denominator, priorDenominator, sample.denominatorPriorDenominator)
  return (ofProducts * n * n) / (denominator.sum * priorDenominator.sum)
}

const linearized = (sample: RatioCovariateSample): Arm => {
  const before = ofRatio(prior(sample))
  const after = ofRatio(sample)
  return {
    ...after,
    covariateMean: before.mean,
    covariateVariance: before.variance,
    covariance: covariance(sample, after.mean, before.mean)
  }
}

const thetaOf = (control: Arm, treatment: Arm): number => {
  if (control.covariateVariance === 0 || treatment.covariateVariance === 0) return 0
  const spread = control.covariateVariance + treatment.covariateVariance
  const theta = (control.covariance + treatment.covariance) / spread
  return Math.abs(theta) < 1e-8 ? 0 : theta
}

/**
 * CUPED for ratio metrics. Both ratios are linearized by the delta method (Deng et al. 2018, arXiv:1803.06336); theta
 * is the sum of the arms' covariances over the sum of their covariate variances. An arm without prior data is not
 * adjusted.
 */
export const adjust = (
  control: RatioCovariateSample,
  treatment: RatioCovariateSample
): readonly [control: Arm, treatment: Arm] => {
  const [a, b] = [linearized(control), linearized(treatment)]
  const theta = thetaOf(a, b)
  return [
    { ...a, theta },
    { ...b, theta }
  ]
}
