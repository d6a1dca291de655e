import { Either } from "effect"
import type { Arm } from "../statistics/Arm.ts"
import { type Comparison, type ComparisonOptions, compare } from "../statistics/Comparison.ts"
import { difference } from "../statistics/Difference.ts"
import type { Interval } from "../statistics/Interval.ts"
import * as Sequential from "../statistics/Sequential.ts"
import { type MetricShape, adjustedArms, armOf } from "./Samples.ts"
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

const intervalsOf = (tested: Intervals | undefined) => ({
  interval: bounds(tested?.interval),
  absoluteInterval: bounds(tested?.absoluteInterval)
})

const testedOf = (tested: Comparison["frequentist" | "sequential"] | undefined): Tested => ({
  pValue: finite(tested?.pValue),
  ...intervalsOf(tested)
})

const plainEffect = (control: Arm, treatment: Arm) => {
  const absolute = control.n === 0 || treatment.n === 0 ? null : treatment.mean - control.mean
  return { absolute, relative: absolute === null ? null : finite(absolute / Math.abs(control.mean)) }
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
  return {
    theta: arms[0].theta,
    unitsWithPriorData: control.withPrior + treatment.withPrior,
    absolute: finite(compared?.absolute),
    relative: finite(compared?.relative),
    frequentist: testedOf(compared?.frequentist),
    sequential: testedOf(compared?.sequential)
  }
}

/** Compares a group with the control by every method. */
export const compareGroups = (
  shape: MetricShape,
  control: Moments,
  treatment: Moments,
  options: ComparisonOptions
): GroupComparison => {
  const [a, b] = [armOf(shape, control), armOf(shape, treatment)]
  const compared = Either.getOrUndefined(compare(a, b, options))
  return {
    ...plainEffect(a, b),
    frequentist: {
      statistic: finite(compared?.frequentist.statistic),
      degreesOfFreedom: finite(compared?.frequentist.degreesOfFreedom),
      ...testedOf(compared?.frequentist)
    },
    sequential: testedOf(compared?.sequential),
    bayesian: {
      chanceToWin: finite(compared?.bayesian.chanceToWin),
      risk: bounds(compared?.bayesian.risk),
      ...intervalsOf(compared?.bayesian)
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
export const relativeEffect = (control: Arm, treatment: Arm, { alpha, tuning }: ComparisonOptions): RelativeEffect => {
  const effect = Either.getOrUndefined(difference("relative", control, treatment))
  return {
    relative: effect === undefined ? plainEffect(control, treatment).relative : finite(effect.estimate),
    interval: effect === undefined ? null : bounds(Sequential.test(effect, alpha, tuning).interval)
  }
}
