import { ExactTotals } from "./ExactTotals.ts"
import type { Moments } from "./ScorecardPlan.ts"

const pairsOf = (width: number): number => (width * (width + 1)) / 2

/** The moments of no units, each with `width` numbers. */
export const none = (width: number): Moments => ({
  n: 0,
  withPrior: 0,
  sums: Array.from({ length: width }, () => 0),
  products: Array.from({ length: pairsOf(width) }, () => 0)
})

/** The moments of two disjoint sets of units of the same width. */
export const add = (a: Moments, b: Moments): Moments => ({
  n: a.n + b.n,
  withPrior: a.withPrior + b.withPrior,
  sums: a.sums.map((sum, index) => sum + b.sums[index]!),
  products: a.products.map((product, index) => product + b.products[index]!)
})

/** Adds up units by cell. The result does not depend on the order of units. */
export class MomentTally {
  private readonly width: number
  private readonly counts: Float64Array
  private readonly withPrior: Float64Array
  private readonly sums: ExactTotals
  private readonly products: ExactTotals

  constructor(cells: number, width: number) {
    this.width = width
    this.counts = new Float64Array(cells)
    this.withPrior = new Float64Array(cells)
    this.sums = new ExactTotals(cells * width)
    this.products = new ExactTotals(cells * pairsOf(width))
  }

  add(cell: number, values: ArrayLike<number>, hasPrior: boolean): void {
    this.counts[cell]!++
    if (hasPrior) this.withPrior[cell]!++
    let pair = cell * pairsOf(this.width)
    for (let a = 0; a < this.width; a++) {
      const value = values[a]!
      if (value !== 0) this.sums.add(cell * this.width + a, value)
      for (let b = a; b < this.width; b++, pair++) if (value !== 0) this.products.add(pair, value * values[b]!)
    }
  }

  of(cell: number): Moments {
    const { width } = this
    const pairs = pairsOf(width)
    return {
      n: this.counts[cell]!,
      withPrior: this.withPrior[cell]!,
      sums: Array.from({ length: width }, (_, at) => this.sums.total(cell * width + at)),
      products: Array.from({ length: pairs }, (_, at) => this.products.total(cell * pairs + at))
    }
  }
}
