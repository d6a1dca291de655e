import { exactSum } from "../../../../domain/analytics/insight/Sum.ts"

const quantum = 2 ** 20
const step = 2 ** -20
/** Smaller values would leave remainders too fine to be summed without rounding. */
const least = 2 ** -9
const largestWhole = 2 ** 40
/** Adding this constant and subtracting it again rounds a double below 2^51 to a whole number. */
export const rounding = 1.5 * 2 ** 52
/** The number of values whose three running sums are guaranteed not to round. */
const blockLength = 4096

/**
 * Appends numbers to `parts` whose exact sum equals that of `values[from..to)`. Whole numbers, multiples of 2^-20 and
 * remainders of values of ordinary size are each summed without rounding, 4096 values at a time; any other value is
 * appended as it is.
 */
export const addExactParts = (values: Float64Array, from: number, to: number, parts: Array<number>): void => {
  for (let start = from; start < to; start += blockLength) {
    const end = Math.min(to, start + blockLength)
    let whole = 0
    let high = 0
    let low = 0
    for (let at = start; at < end; at++) {
      const value = values[at]!
      const size = value < 0 ? -value : value
      if (size < quantum && size >= least) {
        const multiple = value * quantum + rounding - rounding
        high += multiple
        low += value - multiple * step
      } else if (size < largestWhole && Math.floor(value) === value) whole += value
      else parts.push(value)
    }
    parts.push(whole, high * step, low)
  }
}

/** The sum that `exactSum` gives (correctly rounded), at a fraction of its cost. */
export const exactSumOf = (values: Float64Array): number => {
  const parts: Array<number> = []
  addExactParts(values, 0, values.length, parts)
  return exactSum(parts)
}
