import { exactSum } from "../../../domain/analytics/Sum.ts"

const quantum = 2 ** 20
const least = 2 ** -9
const largestWhole = 2 ** 40
const flushed = 4096

/**
 * Exact sums of doubles by cell: whole numbers, multiples of 2^-20 and the rests of values of usual size are each summed
 * without rounding for up to 4096 values; what that cannot hold is kept for `exactSum`. The parts of a cell add up to exactly its values.
 */
export class ExactSums {
  readonly counts: Float64Array
  private readonly whole: Float64Array
  private readonly high: Float64Array
  private readonly low: Float64Array
  private readonly pending: Uint16Array
  private readonly parts: Array<Array<number> | undefined> = []

  constructor(cells: number) {
    this.counts = new Float64Array(cells)
    this.whole = new Float64Array(cells)
    this.high = new Float64Array(cells)
    this.low = new Float64Array(cells)
    this.pending = new Uint16Array(cells)
  }

  add(cell: number, value: number): void {
    this.counts[cell]!++
    const size = Math.abs(value)
    if (size < largestWhole && Math.floor(value) === value) this.whole[cell]! += value
    else if (size < quantum && size >= least) {
      const multiple = Math.round(value * quantum)
      this.high[cell]! += multiple
      this.low[cell]! += value - multiple / quantum
    } else return this.keep(cell, value)
    if (++this.pending[cell]! >= flushed) this.flush(cell)
  }

  /** Of some cells together. */
  total(cells: Iterable<number>): number {
    const all: Array<number> = []
    for (const cell of cells) {
      this.flush(cell)
      for (const part of this.parts[cell] ?? []) all.push(part)
    }
    return exactSum(all)
  }

  private flush(cell: number): void {
    if (this.pending[cell] === 0) return
    this.keep(cell, this.whole[cell]!)
    this.keep(cell, this.high[cell]! / quantum)
    this.keep(cell, this.low[cell]!)
    this.whole[cell] = 0
    this.high[cell] = 0
    this.low[cell] = 0
    this.pending[cell] = 0
  }

  private keep(cell: number, value: number): void {
    const parts = this.parts[cell]
    if (parts === undefined) this.parts[cell] = [value]
    else parts.push(value)
  }
}
