import type { Moments } from "./ScorecardPlan.ts"

/** From this size on steps of the statistics, which square variances, may pass the range of a double. */
const limit = 2 ** 120

/** The exponent of numbers of that size while units are added up, so that sums of the squares of all of them are in that range. */
export const largeExponent = 540

/** Whether a number is so large that units with it are added up in another measure. */
export const isLarge = (value: number): boolean => value >= limit || value <= -limit

/** The value times 2 to the power of the exponent; exact, unless it leaves the range of a double. */
export const shifted = (value: number, exponent: number): number => {
  let [moved, left] = [value, exponent]
  for (; left > 1000; left -= 1000) moved *= 2 ** 1000
  for (; left < -1000; left += 1000) moved *= 2 ** -1000
  return moved * 2 ** left
}

/** The two numbers of a unit that each product is of, in the order of `Moments.products`. */
export const pairsOf = (width: number): ReadonlyArray<readonly [a: number, b: number]> =>
  Array.from({ length: width }, (_, a) =>
    Array.from({ length: width - a }, (__, more): readonly [number, number] => [a, a + more])
  ).flat()

/** The exponent of a number of the units; 0 where none is kept. */
export const exponentAt = ({ exponents }: Moments, at: number): number => exponents?.[at] ?? 0

/** The moments with other exponents. */
export const withExponents = (moments: Moments, exponents: ReadonlyArray<number>): Moments => {
  const by = exponents.map((exponent, at) => exponentAt(moments, at) - exponent)
  const { n, withPrior, sums, products } = moments
  return {
    n,
    withPrior,
    sums: sums.map((sum, at) => shifted(sum, by[at]!)),
    products: pairsOf(sums.length).map(([a, b], at) => shifted(products[at]!, by[a]! + by[b]!)),
    exponents
  }
}

/** The same exponents for all: the largest of each number. Without any, the moments as they are. */
export const alike = (all: ReadonlyArray<Moments>): ReadonlyArray<Moments> => {
  if (all.every(({ exponents }) => exponents === undefined)) return all
  const exponents = (all[0]?.sums ?? []).map((_, at) => Math.max(...all.map((moments) => exponentAt(moments, at))))
  return all.map((moments) => withExponents(moments, exponents))
}

/**
 * The moments of groups that are compared, in one measure in which the squares of large numbers are about 1, so that no step of the
 * statistics leaves the range of a double. Without large numbers, the moments as they are.
 */
export const comparable = (all: ReadonlyArray<Moments>): ReadonlyArray<Moments> => {
  const same = alike(all)
  const [first] = same
  if (first?.exponents === undefined) return same
  const squares = pairsOf(first.sums.length).flatMap(([a, b], at) => (a === b ? [at] : []))
  const exponents = first.exponents.map((exponent, at) => {
    const largest = Math.max(...same.map(({ products }) => products[squares[at]!]!))
    return exponent === 0 || !(largest > 0) ? 0 : exponent + Math.ceil(Math.log2(largest) / 2)
  })
  return same.map((moments) => withExponents(moments, exponents))
}
