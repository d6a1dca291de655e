import { exactSum } from "../../../domain/analytics/Sum.ts"

const quantum = 2 ** 20
const least = 2 ** -9
const largestWhole = 2 ** 40
const block = 4096

/**
 * The exact sum of doubles, as `exactSum` rounds it, at a fraction of its cost: whole numbers, multiples of 2^-20 and the rests of
 * values of usual size are each summed without rounding for 4096 values; what that cannot hold is left to `exactSum`.
 */
export const exactSumOf = (values: Float64Array): number => {
  const parts: Array<number> = []
  for (let start = 0; start < values.length; start += block) {
    const end = Math.min(values.length, start + block)
    let [whole, high, low] = [0, 0, 0]
    for (let at = start; at < end; at++) {
      const value = values[at]!
      const size = Math.abs(value)
      if (size < largestWhole && Math.floor(value) === value) whole += value
      else if (size < quantum && size >= least) {
        const multiple = Math.round(value * quantum)
        high += multiple
        low += value - multiple / quantum
      } else parts.push(value)
    }
    parts.push(whole, high / quantum, low)
  }
  return exactSum(parts)
}
