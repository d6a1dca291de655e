import { Either } from "effect"
import type { Arm } from "../statistics/Arm.ts"
import { type TreatmentEffect, type ComparisonOptions, compare } from "../statistics/Comparison.ts"
import { difference } from "../statistics/Difference.ts"
import type { Interval } from "../statistics/Interval.ts"
import * as Sequential from "../statistics/Sequential.ts"
import { comparable, shifted } from "./Magnitude.ts"
import { type MetricShape, adjustedArms, armOf, hasMean, meanExponent, priorExponent } from "./Samples.ts"
import type { Moments } from "./ScorecardPlan.ts"

type Bounds = Interval | null

interface Intervals {
  /** Of the relative effect. */
  readonly interval: Bounds
  readonly absoluteInterval: Bounds
}

type Tested = { readonly pValue: number | null } & Intervals

/** A comparison adjusted by CUPED. */
export interface AdjustedComparison {
  readonly theta: number
  readonly unitsWithPriorData: number
  readonly absolute: number | null
  readonly relative: number | null
  readonly frequentist: Tested
  readonly sequential: Tested
}

/**
 * A group compared with the control by every method. Null where nothing can be said: of the relative effect because a group does not vary
 * or the control's mean is 0, of the absolute one because neither varies.
 */
export interface GroupComparison {
  readonly absolute: number | null
  readonly relative: number | null
  readonly frequentist: { readonly statistic: number | null; readonly degreesOfFreedom: number | null } & Tested
  readonly sequential: Tested
  readonly bayesian: {
    readonly chanceToWin: number | null
    readonly risk: readonly [control: number, treatment: number] | null
  } & Intervals
  readonly cuped: AdjustedComparison | null
}

const finite = (value: number | null | undefined): number | null =>
  value !== undefined && value !== null && Number.isFinite(value) ? value : null

const bounds = (interval: Bounds | undefined): Bounds =>
  interval !== undefined && interval !== null && interval.every(Number.isFinite) ? interval : null

/** A value of the metric, from the exponent of its measure. */
const valueOf = (value: number | null | undefined, exponent: number): number | null =>
  finite(value === undefined || value === null ? value : shifted(value, exponent))

const intervalsOf = (tested: Intervals | undefined, exponent: number) => {
  const absolute = tested?.absoluteInterval ?? null
  return {
    interval: bounds(tested?.interval),
    absoluteInterval: bounds(
      absolute === null ? null : [shifted(absolute[0], exponent), shifted(absolute[1], exponent)]
    )
  }
}

const testedOf = (tested: TreatmentEffect["frequentist" | "sequential"] | undefined, exponent: number): Tested => ({
  pValue: finite(tested?.pValue),
  ...intervalsOf(tested, exponent)
})

const plainEffect = (control: Arm, treatment: Arm, areTold: boolean, exponent: number) => {
  const absolute = areTold ? treatment.mean - control.mean : null
  return {
    absolute: valueOf(absolute, exponent),
    relative: absolute === null ? null : finite(absolute / Math.abs(control.mean))
  }
}

const adjusted = (
  shape: MetricShape,
  control: Moments,
  treatment: Moments,
  options: ComparisonOptions
): AdjustedComparison | null => {
  const arms = adjustedArms(shape, control, treatment)
  if (arms === null) return null
  const compared = Either.getOrUndefined(compare(...arms, options))
  const exponent = meanExponent(shape, control)
  return {
    theta: shifted(arms[0].theta, exponent - priorExponent(shape, control)),
    unitsWithPriorData: control.withPrior + treatment.withPrior,
    absolute: valueOf(compared?.absolute, exponent),
    relative: finite(compared?.relative),
    frequentist: testedOf(compared?.frequentist, exponent),
    sequential: testedOf(compared?.sequential, exponent)
  }
}

/** Compares a group with the control by every method. */
export const compareGroups = (
  shape: MetricShape,
  ofControl: Moments,
  ofTreatment: Moments,
  options: ComparisonOptions
): GroupComparison => {
  const [control = ofControl, treatment = ofTreatment] = comparable([ofControl, ofTreatment])
  const exponent = meanExponent(shape, control)
  const [a, b] = [armOf(shape, control), armOf(shape, treatment)]
  const areTold = hasMean(shape, control) && hasMean(shape, treatment)
  const compared = Either.getOrUndefined(compare(a, b, options))
  return {
    ...plainEffect(a, b, areTold, exponent),
    frequentist: {
      statistic: finite(compared?.frequentist.statistic),
      degreesOfFreedom: finite(compared?.frequentist.degreesOfFreedom),
      ...testedOf(compared?.frequentist, exponent)
    },
    sequential: testedOf(compared?.sequential, exponent),
    bayesian: {
      chanceToWin: finite(compared?.bayesian.chanceToWin),
      risk: bounds(compared?.bayesian.risk),
      ...intervalsOf(compared?.bayesian, exponent)
    },
    cuped: adjusted(shape, control, treatment, options)
  }
}

/** The relative effect with its sequential interval only. */
export interface RelativeEffect {
  readonly relative: number | null
  readonly interval: Bounds
}

/** The relative effect of a group against the control, with its sequential interval. */
export const relativeEffect = (
  shape: MetricShape,
  control: Moments,
  treatment: Moments,
  { alpha, tuning }: ComparisonOptions
): RelativeEffect => {
  const [a, b] = comparable([control, treatment]).map((moments) => armOf(shape, moments))
  if (a === undefined || b === undefined) return { relative: null, interval: null }
  const effect = Either.getOrUndefined(difference("relative", a, b))
  const areTold = hasMean(shape, control) && hasMean(shape, treatment)
  return {
    relative: effect === undefined ? plainEffect(a, b, areTold, 0).relative : finite(effect.estimate),
    interval: effect === undefined ? null : bounds(Sequential.test(effect, alpha, tuning).interval)
  }
}
