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

/**
 * The variance of one unit over both arms together, as if they were one: what a unit varies by where the treatment changes nothing. 0 for
 * ratios, whose arms are no sums of units, and for an arm of one unit.
 */
const pooledVariance = (a: Arm, b: Arm): number => {
  if (a.kind === "ratio" || b.kind === "ratio" || Math.min(a.n, b.n) <= 1) return 0
  const within = (a.n - 1) * adjustedVariance(a) + (b.n - 1) * adjustedVariance(b)
  const between = ((a.n * b.n) / (a.n + b.n)) * (adjustedMean(b) - adjustedMean(a)) ** 2
  return (within + between) / (a.n + b.n - 1)
}

/**
 * The absolute effect, also where the control's mean is 0 and nothing relative can be said. Where one arm of a proportion or mean does not
 * vary, as if nobody of the control ever crashes, the variance is that of both arms together (the score test of no difference), because
 * such an arm does not say by how much its units may vary. Nothing can be said where neither varies.
 */
export const absoluteDifference = (control: Arm, treatment: Arm): Either.Either<Difference, "ZeroVariance"> => {
  const [ofControl, ofTreatment] = [adjustedVariance(control), adjustedVariance(treatment)]
  const units = control.n + treatment.n
  const told = {
    scale: "absolute" as const,
    estimate: adjustedMean(treatment) - adjustedMean(control),
    units,
    baseline: control.mean
  }
  if (ofControl > 0 && ofTreatment > 0)
    return Either.right({
      ...told,
      standardError: Math.sqrt(ofControl / control.n + ofTreatment / treatment.n),
      degreesOfFreedom: welchSatterthwaite(control, treatment)
    })
  const variance = pooledVariance(control, treatment)
  if (!((ofControl > 0 || ofTreatment > 0) && variance > 0)) return Either.left("ZeroVariance")
  return Either.right({
    ...told,
    standardError: Math.sqrt(variance / control.n + variance / treatment.n),
    degreesOfFreedom: units - 2
  })
}
