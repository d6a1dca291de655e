import type { Arm } from "../statistics/Arm.ts"
import { ofRatio, ofValue } from "../statistics/Arm.ts"
import * as Cuped from "../statistics/Cuped.ts"
import * as RatioCuped from "../statistics/RatioCuped.ts"
import type { CovariateSample, Quantity, RatioCovariateSample } from "../statistics/Sufficient.ts"
import * as Sufficient from "../statistics/Sufficient.ts"
import { comparable, exponentAt, shifted } from "./Magnitude.ts"
import type { Moments } from "./ScorecardPlan.ts"

/** How the numbers of a metric's units are to be interpreted. */
export type MetricShape = "proportion" | "mean" | "ratio"

type Arms = readonly [control: Arm, treatment: Arm]

const proportionOf = ({ n, sums, products }: Moments): CovariateSample => ({
  n,
  value: Sufficient.proportion(sums[0]!),
  covariate: Sufficient.proportion(sums[1] ?? 0),
  valueCovariate: products[1] ?? 0
})

const meanOf = ({ n, sums, products }: Moments): CovariateSample => ({
  n,
  value: Sufficient.mean(sums[0]!, products[0]!),
  covariate: Sufficient.mean(sums[1] ?? 0, products[2] ?? 0),
  valueCovariate: products[1] ?? 0
})

const ratioOf = ({ n, sums, products }: Moments): RatioCovariateSample => {
  const quantity = (at: number, square: number): Quantity => Sufficient.mean(sums[at]!, products[square]!)
  return {
    n,
    numerator: quantity(0, 0),
    denominator: quantity(1, 4),
    priorNumerator: quantity(2, 7),
    priorDenominator: quantity(3, 9),
    numeratorDenominator: products[1]!,
    numeratorPriorNumerator: products[2]!,
    numeratorPriorDenominator: products[3]!,
    denominatorPriorNumerator: products[5]!,
    denominatorPriorDenominator: products[6]!,
    priorNumeratorPriorDenominator: products[8]!
  }
}

/** A group's arm, without adjustment. */
export const armOf = (shape: MetricShape, moments: Moments): Arm => {
  if (shape === "ratio") return ofRatio(ratioOf(moments))
  return ofValue(shape === "mean" ? meanOf(moments) : proportionOf(moments))
}

/** The exponent of the mean of a metric: its value is the mean of the moments times 2 to the power of it. */
export const meanExponent = (shape: MetricShape, moments: Moments): number =>
  exponentAt(moments, 0) - (shape === "ratio" ? exponentAt(moments, 1) : 0)

/** The exponent of the mean of a metric before the exposure. */
export const priorExponent = (shape: MetricShape, moments: Moments): number =>
  shape === "ratio" ? exponentAt(moments, 2) - exponentAt(moments, 3) : exponentAt(moments, 1)

/** Whether a group has a mean: units, and in a ratio something to divide by. */
export const hasMean = (shape: MetricShape, { n, sums }: Moments): boolean =>
  n > 0 && (shape !== "ratio" || sums[1] !== 0)

/**
 * The number of units of a group, the mean and the variance of one unit; null without units, in a ratio without anything to divide by, and
 * where it passes the range of a double.
 */
export interface Spread {
  readonly n: number
  readonly mean: number | null
  readonly variance: number | null
}

/** The mean and the variance of a group's units. */
export const spreadOf = (shape: MetricShape, moments: Moments): Spread => {
  const [own = moments] = comparable([moments])
  const { n, mean, variance } = armOf(shape, own)
  const exponent = meanExponent(shape, own)
  const told = (value: number) => (hasMean(shape, own) && Number.isFinite(value) ? value : null)
  return { n, mean: told(shifted(mean, exponent)), variance: told(shifted(variance, 2 * exponent)) }
}

/** Both groups' arms, adjusted by their units' behaviour before the exposure; null if too few units have any. */
export const adjustedArms = (shape: MetricShape, control: Moments, treatment: Moments): Arms | null => {
  if (!Cuped.isApplicable(control.n + treatment.n, control.withPrior + treatment.withPrior)) return null
  if (shape === "ratio") return RatioCuped.adjust(ratioOf(control), ratioOf(treatment))
  const sampleOf = shape === "mean" ? meanOf : proportionOf
  return Cuped.adjust(sampleOf(control), sampleOf(treatment))
}
