/**
 * Sums of one number per unit over the units of an arm. In a `proportion` each number is 0 or 1 (variance p (1 - p));
 * in a `mean` it is any finite number (variance with n - 1).
 */
export interface Quantity {
  readonly kind: "proportion" | "mean"
  readonly sum: number
  readonly sumSquares: number
}

/** One arm of a proportion or mean metric. `n` counts all exposed units, including those with value 0. */
export interface ValueSample {
  readonly n: number
  readonly value: Quantity
}

/** A value sample with the same units' values before their first exposure. `valueCovariate` is the sum of products. */
export interface CovariateSample extends ValueSample {
  readonly covariate: Quantity
  readonly valueCovariate: number
}

/** One arm of a ratio metric: the sum of numerators over the sum of denominators, one of each per unit. */
export interface RatioSample {
  readonly n: number
  readonly numerator: Quantity
  readonly denominator: Quantity
  readonly numeratorDenominator: number
}

/**
 * A ratio sample with the same units' numerators and denominators before their first exposure, and the sums of all
 * products.
 */
export interface RatioCovariateSample extends RatioSample {
  readonly priorNumerator: Quantity
  readonly priorDenominator: Quantity
  readonly numeratorPriorNumerator: number
  readonly numeratorPriorDenominator: number
  readonly denominatorPriorNumerator: number
  readonly denominatorPriorDenominator: number
  readonly priorNumeratorPriorDenominator: number
}

/** The quantity of an arm in which `sum` units count 1 and the others 0. */
export const proportion = (sum: number): Quantity => ({ kind: "proportion", sum, sumSquares: sum })

/** The quantity of an arm by the sum and the sum of squares of its units' numbers. */
export const mean = (sum: number, sumSquares: number): Quantity => ({ kind: "mean", sum, sumSquares })

/** The sums of two disjoint sets of units. */
export const add = (a: Quantity, b: Quantity): Quantity => ({
  kind: a.kind === b.kind ? a.kind : "mean",
  sum: a.sum + b.sum,
  sumSquares: a.sumSquares + b.sumSquares
})

/** The mean; 0 without units. */
export const meanOf = (n: number, quantity: Quantity): number => (n === 0 ? 0 : quantity.sum / n)

/**
 * The variance of one unit's number. A spread below a millionth of the root mean square is rounding error, so it counts
 * as 0.
 */
export const varianceOf = (n: number, quantity: Quantity): number => {
  const average = meanOf(n, quantity)
  if (quantity.kind === "proportion") return average * (1 - average)
  if (n <= 1) return 0
  const centred = quantity.sumSquares - quantity.sum ** 2 / n
  return Math.abs(centred) <= 1e-12 * quantity.sumSquares ? 0 : centred / (n - 1)
}

/** The covariance of one unit's two numbers, from the sum of their products. */
export const covarianceOf = (n: number, a: Quantity, b: Quantity, sumOfProducts: number): number => {
  if (n <= 1) return 0
  const centred = sumOfProducts - (a.sum * b.sum) / n
  return centred / (a.kind === "proportion" && b.kind === "proportion" ? n : n - 1)
}
