import * as Normal from "./Normal.ts"

export interface PowerPlan {
  /** The level of the two-sided test, in (0, 1). */
  readonly alpha: number
  /** The probability of finding the effect if it exists, in (0, 1). */
  readonly power: number
}

/** Level 5 %, power 80 %. */
export const standardPlan: PowerPlan = { alpha: 0.05, power: 0.8 }

const reach = ({ alpha, power }: PowerPlan): number => Normal.upperQuantile(alpha / 2) + Normal.quantile(power)

/**
 * The units that each arm needs to find an absolute effect of size `effect`, if one unit's variance is `variance`: 2
 * (z_alpha + z_power)^2 variance / effect^2, rounded up.
 */
export const unitsPerArm = (variance: number, effect: number, plan: PowerPlan = standardPlan): number =>
  Math.ceil((2 * reach(plan) ** 2 * variance) / effect ** 2)

/** The smallest absolute effect that is found with the planned power if each arm has `units` units. */
export const minimumDetectableEffect = (variance: number, units: number, plan: PowerPlan = standardPlan): number =>
  reach(plan) * Math.sqrt((2 * variance) / units)

/**
 * The probability that a two-sided test of level `alpha` finds an effect of size `effect` measured with
 * `standardError`.
 */
export const powerOf = (effect: number, standardError: number, alpha: number): number => {
  const [shift, critical] = [Math.abs(effect) / standardError, Normal.upperQuantile(alpha / 2)]
  return Normal.cdf(shift - critical) + Normal.tail(shift + critical)
}
