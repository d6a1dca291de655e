import type { SampleRatioVerdict } from "./SampleRatio.ts"

export type Verdict = "collecting" | "unhealthy" | "winning" | "losing" | "inconclusive"

export interface Evidence {
  /** The number of units of the control and of the treatment that count for the metric. */
  readonly units: readonly [control: number, treatment: number]
  /** The time since the first exposure, in ms; 0 before it. */
  readonly elapsed: number
  readonly sampleRatio: SampleRatioVerdict
  /** The number of exposed units of all groups, those of several groups among them, whether they count or not. */
  readonly exposedUnits: number
  /** The share of exposed units that were exposed to more than one group, 0..1. */
  readonly multipleExposureShare: number
  /** Whether the planned end has been reached, so that the fixed-horizon p-value may decide. */
  readonly isPlannedEnd: boolean
  readonly direction: "increase" | "decrease"
  readonly alpha: number
  readonly estimate: number
  /** Both p-values are adjusted for multiple testing if the metric is a goal. */
  readonly sequentialPValue: number
  readonly fixedHorizonPValue: number
}

const minimumUnits = 100
const week = 7 * 24 * 60 * 60 * 1_000

export type MultipleExposureVerdict = "healthy" | "warning" | "unhealthy"

/** The verdict on units in several groups: over 0.5 % is a warning, over 10 % forbids any other verdict. */
export const ofMultipleExposure = (share: number): MultipleExposureVerdict =>
  share > 0.1 ? "unhealthy" : share > 0.005 ? "warning" : "healthy"

/** The verdict on one comparison. Problems of the data come first, then too little data, then the decision. */
export const verdict = (evidence: Evidence): Verdict => {
  const { units, elapsed, sampleRatio, exposedUnits, multipleExposureShare, isPlannedEnd } = evidence
  const { direction, alpha, estimate } = evidence
  const hasEnoughUnits = Math.min(...units) >= minimumUnits
  const isMixed = exposedUnits >= minimumUnits && ofMultipleExposure(multipleExposureShare) === "unhealthy"
  if (sampleRatio === "unhealthy" || isMixed) return "unhealthy"
  if (!hasEnoughUnits || elapsed < week) return "collecting"
  const isDecided = evidence.sequentialPValue <= alpha || (isPlannedEnd && evidence.fixedHorizonPValue <= alpha)
  if (!isDecided || estimate === 0) return "inconclusive"
  return estimate > 0 === (direction === "increase") ? "winning" : "losing"
}
