import { Either } from "effect"
import type { Arm } from "./Arm.ts"
import * as Bayesian from "./Bayesian.ts"
import type { DifferenceFailure } from "./Difference.ts"
import { absoluteDifference, difference } from "./Difference.ts"
import * as Frequentist from "./Frequentist.ts"
import type { Interval } from "./Interval.ts"
import * as Sequential from "./Sequential.ts"

export interface ComparisonOptions {
  /** The significance level, in (0, 1). */
  readonly alpha: number
  /** The number of units at which the sequential interval is tightest. */
  readonly tuning: number
  readonly prior: Bayesian.Prior
  readonly direction: "increase" | "decrease"
}

/** The options used unless an experiment specifies others. */
export const standardOptions: ComparisonOptions = {
  alpha: 0.05,
  tuning: Sequential.defaultTuning,
  prior: Bayesian.flat,
  direction: "increase"
}

interface Intervals {
  /** Of the relative effect; null where the control's mean is 0 or an arm does not vary. */
  readonly interval: Interval | null
  readonly absoluteInterval: Interval
}

/**
 * A treatment compared with its control by all three methods. Statistics and p-values are those of the absolute effect:
 * they test whether there is any effect.
 */
export interface TreatmentEffect {
  readonly absolute: number
  /** Null where `interval` is. */
  readonly relative: number | null
  readonly frequentist: Omit<Frequentist.FixedHorizon, "interval"> & Intervals
  readonly sequential: Omit<Sequential.Sequential, "interval"> & Intervals
  /** Chance and risk are those of the relative effect, on which the prior is defined. */
  readonly bayesian: Nullable<Pick<Bayesian.Posterior, "chanceToWin" | "risk">> & Intervals
}

type Nullable<A> = { readonly [Key in keyof A]: A[Key] | null }

/** Compares a treatment with its control by all three methods. */
export const compare = (
  control: Arm,
  treatment: Arm,
  { alpha, tuning, prior, direction }: ComparisonOptions
): Either.Either<TreatmentEffect, DifferenceFailure> =>
  Either.map(absoluteDifference(control, treatment), (absolute) => {
    const relative = Either.getOrNull(difference("relative", control, treatment))
    const fixed = Frequentist.test(absolute, alpha)
    const peeking = Sequential.test(absolute, alpha, tuning)
    const belief = relative === null ? null : Bayesian.posterior(relative, prior, alpha, direction)
    return {
      absolute: absolute.estimate,
      relative: relative?.estimate ?? null,
      frequentist: {
        ...fixed,
        interval: relative === null ? null : Frequentist.test(relative, alpha).interval,
        absoluteInterval: fixed.interval
      },
      sequential: {
        ...peeking,
        interval: relative === null ? null : Sequential.test(relative, alpha, tuning).interval,
        absoluteInterval: peeking.interval
      },
      bayesian: {
        chanceToWin: belief?.chanceToWin ?? null,
        risk: belief?.risk ?? null,
        interval: belief?.interval ?? null,
        absoluteInterval: Bayesian.posterior(absolute, prior, alpha, direction).interval
      }
    }
  })
