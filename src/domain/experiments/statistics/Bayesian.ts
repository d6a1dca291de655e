import type { Difference } from "./Difference.ts"
import type { Interval } from "./Interval.ts"
import * as Normal from "./Normal.ts"

/** The belief about the relative effect before any data: normal, or flat. */
export type Prior =
  | { readonly kind: "flat" }
  | { readonly kind: "normal"; readonly mean: number; readonly standardDeviation: number }

/** The prior that favours no effect over any other. */
export const flat: Prior = { kind: "flat" }

/** A proper default prior: most changes move a metric by less than 30 %. */
export const moderate: Prior = { kind: "normal", mean: 0, standardDeviation: 0.3 }

export interface Posterior {
  readonly mean: number
  readonly standardDeviation: number
  /** The probability that the treatment is better, given the direction in which the metric should move. */
  readonly chanceToWin: number
  /** The equal-tailed credible interval of level 1 - alpha. */
  readonly interval: Interval
  /** The expected loss, on the scale of the difference, of keeping the control and of choosing the treatment. */
  readonly risk: readonly [control: number, treatment: number]
}

/** E[max(X, 0)] of a normal X. */
const expectedGain = (mean: number, standardDeviation: number): number => {
  const z = mean / standardDeviation
  return Math.abs(z) > 37 ? Math.max(mean, 0) : mean * Normal.cdf(z) + standardDeviation * Normal.density(z)
}

const update = ({ estimate, standardError, scale, baseline }: Difference, prior: Prior) => {
  if (prior.kind === "flat") return { mean: estimate, standardDeviation: standardError }
  const unit = scale === "relative" ? 1 : Math.abs(baseline)
  const [ofData, ofPrior] = [standardError ** -2, (prior.standardDeviation * unit) ** -2]
  const precision = ofData + ofPrior
  return {
    mean: (estimate * ofData + prior.mean * unit * ofPrior) / precision,
    standardDeviation: precision ** -0.5
  }
}

/** The normal posterior of the effect. `alpha` is in (0, 1); `direction` tells which way the metric should move. */
export const posterior = (
  difference: Difference,
  prior: Prior,
  alpha: number,
  direction: "increase" | "decrease"
): Posterior => {
  const { mean, standardDeviation } = update(difference, prior)
  const halfWidth = Normal.upperQuantile(alpha / 2) * standardDeviation
  const [gain, loss] = [expectedGain(mean, standardDeviation), expectedGain(-mean, standardDeviation)]
  const z = mean / standardDeviation
  return {
    mean,
    standardDeviation,
    chanceToWin: Normal.cdf(direction === "increase" ? z : -z),
    interval: [mean - halfWidth, mean + halfWidth],
    risk: direction === "increase" ? [gain, loss] : [loss, gain]
  }
}
