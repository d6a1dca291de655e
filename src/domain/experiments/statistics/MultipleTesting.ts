export type Correction = "holm" | "benjaminiHochberg"

/**
 * Sorts p-values, multiplies each by the factor the method demands for its rank (from 0), and returns them in the
 * original order.
 */
const adjustInOrder = (
  pValues: ReadonlyArray<number>,
  sweep: (sorted: ReadonlyArray<number>) => ReadonlyArray<number>
): ReadonlyArray<number> => {
  const order = pValues.map((_, index) => index).sort((a, b) => pValues[a]! - pValues[b]!)
  const adjusted = sweep(order.map((index) => pValues[index]!))
  const result = pValues.map(() => 1)
  for (const [rank, index] of order.entries()) result[index] = Math.min(1, adjusted[rank]!)
  return result
}

/** Holm 1979: bounds the probability of any false discovery by alpha, under any dependence. */
const holm = (sorted: ReadonlyArray<number>): ReadonlyArray<number> => {
  let highest = 0
  return sorted.map((p, rank) => (highest = Math.max(highest, p * (sorted.length - rank))))
}

/** Benjamini and Hochberg 1995: bounds the expected share of false discoveries by alpha. */
const benjaminiHochberg = (sorted: ReadonlyArray<number>): ReadonlyArray<number> => {
  let lowest = 1
  const fromLargest = sorted.toReversed().map((p, index) => {
    lowest = Math.min(lowest, p * (sorted.length / (sorted.length - index)))
    return lowest
  })
  return fromLargest.reverse()
}

/** Adjusted p-values in the original order; each can be compared with alpha as if it were the only one. */
export const adjust = (correction: Correction, pValues: ReadonlyArray<number>): ReadonlyArray<number> =>
  adjustInOrder(pValues, correction === "holm" ? holm : benjaminiHochberg)
