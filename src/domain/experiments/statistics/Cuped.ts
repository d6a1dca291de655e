import type { Arm } from "./Arm.ts"
import { ofValue } from "./Arm.ts"
import type { CovariateSample } from "./Sufficient.ts"
import { add, covarianceOf, meanOf, varianceOf } from "./Sufficient.ts"

/** Whether CUPED is worthwhile: more than 100 units, more than 5 % of which have prior data. */
export const isApplicable = (units: number, unitsWithPriorData: number): boolean =>
  units > 100 && unitsWithPriorData > 0.05 * units

/** cov(y, x) / var(x) over both arms together; 0, which means no adjustment, if either does not vary. */
export const theta = (control: CovariateSample, treatment: CovariateSample): number => {
  const n = control.n + treatment.n
  const value = add(control.value, treatment.value)
  const covariate = add(control.covariate, treatment.covariate)
  const spread = varianceOf(n, covariate)
  if (spread === 0 || varianceOf(n, value) === 0) return 0
  return covarianceOf(n, value, covariate, control.valueCovariate + treatment.valueCovariate) / spread
}

const armOf = (sample: CovariateSample, coefficient: number): Arm => {
  if (coefficient === 0) return ofValue(sample)
  return {
    ...ofValue(sample),
    covariateMean: meanOf(sample.n, sample.covariate),
    covariateVariance: varianceOf(sample.n, sample.covariate),
    covariance: covarianceOf(sample.n, sample.value, sample.covariate, sample.valueCovariate),
    theta: coefficient
  }
}

/**
 * CUPED (Deng, Xu, Kohavi, Walker 2013): each arm's mean becomes that of y - theta * x, where x is the unit's value
 * before its first exposure.
 */
export const adjust = (
  control: CovariateSample,
  treatment: CovariateSample
): readonly [control: Arm, treatment: Arm] => {
  const coefficient = theta(control, treatment)
  return [armOf(control, coefficient), armOf(treatment, coefficient)]
}
