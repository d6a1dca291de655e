import { Either } from "effect"
import type { Arm } from "./Arm.ts"
import { adjustedMean, adjustedVariance } from "./Arm.ts"

/**
 * Absolute: treatment - control, in the metric's unit. Relative: that divided by the size of the control's mean (0.1
 * means 10 % more).
 */
export type Scale = "absolute" | "relative"

export interface Difference {
  readonly scale: Scale
  readonly estimate: number
  readonly standardError: number
  /** The number of units in both arms together. */
  readonly units: number
  /** By Welch and Satterthwaite, not rounded. */
  readonly degreesOfFreedom: number
  /** The control's mean, unadjusted. */
  readonly baseline: number
}

/** Why nothing can be said: an arm does not vary (or has too few units), or the control's mean is 0. */
export type DifferenceFailure = "ZeroVariance" | "ZeroBaseline"

const welchSatterthwaite = (a: Arm, b: Arm): number => {
  const [ofA, ofB] = [adjustedVariance(a) / a.n, adjustedVariance(b) / b.n]
  return (ofA + ofB) ** 2 / (ofA ** 2 / (a.n - 1) + ofB ** 2 / (b.n - 1))
}

const growth = (control: Arm, treatment: Arm): number =>
  control.kind === "value"
    ? treatment.mean / control.mean
    : 1 + (adjustedMean(treatment) - adjustedMean(control)) / control.mean

const varianceOn = (scale: Scale, control: Arm, treatment: Arm): number => {
  if (scale === "absolute") return adjustedVariance(control) / control.n + adjustedVariance(treatment) / treatment.n
  if (control.mean === 0) return 0
  const ofControl = adjustedVariance(control, growth(control, treatment)) / control.n
  return (adjustedVariance(treatment) / treatment.n + ofControl) / control.mean ** 2
}

/**
 * The effect of a treatment against its control, with its standard error. Relative effects use the delta method:
 * var(b)/(n_b a^2) + var(a) b^2/(n_a a^4); with CUPED, the control's covariate is not scaled by b/a.
 */
export const difference = (
  scale: Scale,
  control: Arm,
  treatment: Arm
): Either.Either<Difference, DifferenceFailure> => {
  const variance = varianceOn(scale, control, treatment)
  if (!(adjustedVariance(control) > 0 && adjustedVariance(treatment) > 0 && variance > 0)) {
    return Either.left("ZeroVariance")
  }
  if (adjustedMean(control) === 0 || control.mean === 0) return Either.left("ZeroBaseline")
  const absolute = adjustedMean(treatment) - adjustedMean(control)
  return Either.right({
    scale,
    estimate: scale === "relative" ? absolute / Math.abs(control.mean) : absolute,
    standardError: Math.sqrt(variance),
    units: control.n + treatment.n,
    degreesOfFreedom: welchSatterthwaite(control, treatment),
    baseline: control.mean
  })
}
