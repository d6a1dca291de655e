/**
 * Sums of one number per unit over the units of an arm. For a `proportion` every number is 0 or 1 (variance p(1 - p)),
 * a `mean` may be any finite number (variance with n - 1).
 */
export interface Quantity {
  readonly kind: "proportion" | "mean"
  readonly sum: number
  readonly sumSquares: number
}

/** One arm of a proportion or mean metric. `n` counts all exposed units, also those whose value is 0. */
export interface ValueSample {
  readonly n: number
  readonly value: Quantity
}

/** A value with the same unit's value before its first exposure. `valueCovariate` is the sum of products. */
export interface CovariateSample extends ValueSample {
  readonly covariate: Quantity
  readonly valueCovariate: number
}

/** One arm of a ratio metric: sum of numerators over sum of denominators, both per unit. */
export interface RatioSample {
  readonly n: number
  readonly numerator: Quantity
  readonly denominator: Quantity
  readonly numeratorDenominator: number
}

/** A ratio with the same unit's numerator and denominator before its first exposure, and the sums of all products. */
export interface RatioCovariateSample extends RatioSample {
  readonly priorNumerator: Quantity
  readonly priorDenominator: Quantity
  readonly numeratorPriorNumerator: number
  readonly numeratorPriorDenominator: number
  readonly denominatorPriorNumerator: number
  readonly denominatorPriorDenominator: number
  readonly priorNumeratorPriorDenominator: number
}

/** `sum` units of the arm did it; the others did not. */
export const proportion = (sum: number): Quantity => ({ kind: "proportion", sum, sumSquares: sum })

export const mean = (sum: number, sumSquares: number): Quantity => ({ kind: "mean", sum, sumSquares })

/** Sums of two disjoint sets of units. */
export const add = (a: Quantity, b: Quantity): Quantity => ({
  kind: a.kind === b.kind ? a.kind : "mean",
  sum: a.sum + b.sum,
  sumSquares: a.sumSquares + b.sumSquares
})

/** 0 without units. */
export const meanOf = (n: number, quantity: Quantity): number => (n === 0 ? 0 : quantity.sum / n)

/** Variance of one unit's number. A spread below a millionth of the root mean square is rounding, hence 0. */
export const varianceOf = (n: number, quantity: Quantity): number => {
  const average = meanOf(n, quantity)
  if (quantity.kind === "proportion") return average * (1 - average)
  if (n <= 1) return 0
  const centred = quantity.sumSquares - quantity.sum ** 2 / n
  return Math.abs(centred) <= 1e-12 * quantity.sumSquares ? 0 : centred / (n - 1)
}

/** Covariance of one unit's two numbers from the sum of their products. */
export const covarianceOf = (n: number, a: Quantity, b: Quantity, sumOfProducts: number): number => {
  if (n <= 1) return 0
  const centred = sumOfProducts - (a.sum * b.sum) / n
  return centred / (a.kind === "proportion" && b.kind === "proportion" ? n : n - 1)
}
