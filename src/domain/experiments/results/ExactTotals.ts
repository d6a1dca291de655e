import { exactSum } from "../../analytics/insight/Sum.ts"

/**
 * Many sums at once, each equal to what `exactSum` gives for its values in any order, and NaN once its values so far pass the range of a
 * double together. Rounding errors are kept beside each sum (Knuth's TwoSum), and their own errors in a list.
 */
export class ExactTotals {
  private readonly high: Float64Array
  private readonly low: Float64Array
  private readonly rest = new Map<number, Array<number>>()

  constructor(size: number) {
    this.high = new Float64Array(size)
    this.low = new Float64Array(size)
  }

  /** Adds a finite value to the sum at a place from 0 to `size` - 1. */
  add(at: number, value: number): void {
    const before = this.high[at]!
    const sum = before + value
    this.high[at] = sum
    const shifted = sum - before
    const error = before - (sum - shifted) + (value - shifted)
    if (error !== 0) this.correct(at, error)
  }

  /** The sum at a place; 0 before the first value. */
  total(at: number): number {
    const rest = this.rest.get(at)
    return rest === undefined ? this.high[at]! + this.low[at]! : exactSum([this.high[at]!, this.low[at]!, ...rest])
  }

  private correct(at: number, error: number): void {
    const before = this.low[at]!
    const sum = before + error
    this.low[at] = sum
    const shifted = sum - before
    const left = before - (sum - shifted) + (error - shifted)
    if (left === 0) return
    const rest = this.rest.get(at)
    if (rest === undefined) this.rest.set(at, [left])
    else rest.push(left)
  }
}
