import * as Normal from "./Normal.ts"

export interface PowerPlan {
  /** Level of the two-sided test, in (0, 1). */
  readonly alpha: number
  /** Chance of finding the effect if it is there, in (0, 1). */
  readonly power: number
}

export const standardPlan: PowerPlan = { alpha: 0.05, power: 0.8 }

const reach = ({ alpha, power }: PowerPlan): number => Normal.upperQuantile(alpha / 2) + Normal.quantile(power)

/** Units each arm needs to find an absolute effect of size `effect` when one unit's variance is `variance`: 2(z + z)²·var/δ², rounded up. */
export const unitsPerArm = (variance: number, effect: number, plan: PowerPlan = standardPlan): number =>
  Math.ceil((2 * reach(plan) ** 2 * variance) / effect ** 2)

/** The smallest absolute effect found with the planned power when each arm has `units` units. */
export const minimumDetectableEffect = (variance: number, units: number, plan: PowerPlan = standardPlan): number =>
  reach(plan) * Math.sqrt((2 * variance) / units)

/** Chance of a two-sided test of level `alpha` finding an effect of `effect` that is measured with `standardError`. */
export const powerOf = (effect: number, standardError: number, alpha: number): number => {
  const [shift, critical] = [Math.abs(effect) / standardError, Normal.upperQuantile(alpha / 2)]
  return Normal.cdf(shift - critical) + Normal.tail(shift + critical)
}
