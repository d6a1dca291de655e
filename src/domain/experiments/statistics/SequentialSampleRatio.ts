import { logGamma } from "./Gamma.ts"
import type { ExposurePhase } from "./SampleRatio.ts"

/** How closely the alternative is believed to lie to the weights: in units, so that a deviation of a percent is found soonest. */
const concentration = 5_000

/** The logarithm of the Bayes factor of one phase against its weights. */
const logEvidence = ({ observed, weights }: ExposurePhase): number => {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let units = 0
  let evidence = 0
  for (const [arm, weight] of weights.entries()) {
    if (weight <= 0) continue
    const count = observed[arm] ?? 0
    const share = weight / total
    const prior = concentration * share
    units += count
    evidence += logGamma(prior + count) - logGamma(prior) - count * Math.log(share)
  }
  return evidence + logGamma(concentration) - logGamma(concentration + units)
}

/**
 * A p-value in [0, 1] against "units come in the shares of the weights" that holds at all looks together: that it ever falls to alpha has at
 * most the probability alpha (Lindon and Malek, "Anytime-Valid Inference For Multinomial Count Data", NeurIPS 2022, arXiv:2011.03567;
 * phases of other weights multiply). Arms of weight 0 are left out, whatever units they have.
 */
export const sequentialPValue = (phases: ReadonlyArray<ExposurePhase>): number =>
  Math.min(1, Math.exp(-phases.reduce((sum, phase) => sum + logEvidence(phase), 0)))
