import type { SampleRatioVerdict } from "./SampleRatio.ts"

export type Verdict = "collecting" | "unhealthy" | "winning" | "losing" | "inconclusive"

export interface Evidence {
  /** Exposed units of the control and of the treatment. */
  readonly units: readonly [control: number, treatment: number]
  /** Time since the experiment started, in milliseconds. */
  readonly elapsed: number
  readonly sampleRatio: SampleRatioVerdict
  /** Units exposed to more than one group, as a share of all exposed units, 0..1. */
  readonly multipleExposureShare: number
  /** The planned end has come, so that the fixed-horizon p-value may decide. */
  readonly isPlannedEnd: boolean
  readonly direction: "increase" | "decrease"
  readonly alpha: number
  readonly estimate: number
  /** Both adjusted for multiple testing where the metric is a goal. */
  readonly sequentialPValue: number
  readonly fixedHorizonPValue: number
}

const minimumUnits = 100
const week = 7 * 24 * 60 * 60 * 1_000

export type MultipleExposureVerdict = "healthy" | "warning" | "unhealthy"

/** More than 0.5 % of units in several groups is a warning, more than 10 % forbids a verdict. */
export const ofMultipleExposure = (share: number): MultipleExposureVerdict =>
  share > 0.1 ? "unhealthy" : share > 0.005 ? "warning" : "healthy"

/** What may be said of one comparison, from the most pressing: broken data, too little data, then the decision. */
export const verdict = (evidence: Evidence): Verdict => {
  const { units, elapsed, sampleRatio, multipleExposureShare, isPlannedEnd, direction, alpha, estimate } = evidence
  const hasEnoughUnits = Math.min(...units) >= minimumUnits
  const isMixed = units[0] + units[1] >= minimumUnits && ofMultipleExposure(multipleExposureShare) === "unhealthy"
  if (sampleRatio === "unhealthy" || isMixed) return "unhealthy"
  if (!hasEnoughUnits || elapsed < week) return "collecting"
  const isDecided = evidence.sequentialPValue <= alpha || (isPlannedEnd && evidence.fixedHorizonPValue <= alpha)
  if (!isDecided || estimate === 0) return "inconclusive"
  return estimate > 0 === (direction === "increase") ? "winning" : "losing"
}
