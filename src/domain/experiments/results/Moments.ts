import { ExactTotals } from "./ExactTotals.ts"
import { alike, isLarge, largeExponent, pairsOf, shifted } from "./Magnitude.ts"
import type { Moments } from "./ScorecardPlan.ts"

/** The moments of no units, each with `width` numbers. */
export const none = (width: number): Moments => ({
  n: 0,
  withPrior: 0,
  sums: Array.from({ length: width }, () => 0),
  products: pairsOf(width).map(() => 0)
})

const sum = (a: Moments, b: Moments): Moments => ({
  n: a.n + b.n,
  withPrior: a.withPrior + b.withPrior,
  sums: a.sums.map((each, index) => each + b.sums[index]!),
  products: a.products.map((product, index) => product + b.products[index]!),
  ...(a.exponents === undefined ? {} : { exponents: a.exponents })
})

/** The moments of two disjoint sets of units of the same width. */
export const add = (a: Moments, b: Moments): Moments => {
  const [first = a, second = b] = alike([a, b])
  return sum(first, second)
}

const shrink = 2 ** -largeExponent

/** Totals by how many of the numbers that were multiplied are large; those are counted in multiples of `1 / shrink`. */
class SizedTotals {
  private readonly size: number
  private readonly totals: Array<ExactTotals | undefined> = []

  constructor(size: number) {
    this.size = size
  }

  add(at: number, large: number, value: number): void {
    const totals = (this.totals[large] ??= new ExactTotals(this.size))
    totals.add(at, value)
  }

  /** Counted in multiples of `1 / shrink` to the power of `large`. */
  total(at: number, large: number): number {
    return this.totals.reduce(
      (sum, totals, own) =>
        totals === undefined ? sum : sum + shifted(totals.total(at), (own - large) * largeExponent),
      0
    )
  }
}

/** Adds up units by cell. The result does not depend on the order of units. */
export class MomentTally {
  private readonly pairs: ReadonlyArray<readonly [a: number, b: number]>
  private readonly width: number
  private readonly counts: Float64Array
  private readonly withPrior: Float64Array
  private readonly sums: SizedTotals
  private readonly products: SizedTotals
  /** The places of sums, by cell and number, that large numbers went into. */
  private readonly large = new Set<number>()

  constructor(cells: number, width: number) {
    this.width = width
    this.pairs = pairsOf(width)
    this.counts = new Float64Array(cells)
    this.withPrior = new Float64Array(cells)
    this.sums = new SizedTotals(cells * width)
    this.products = new SizedTotals(cells * this.pairs.length)
  }

  /** Adds a unit to a cell, with its `width` numbers; `hasPrior`: whether it has markers from before its first exposure. */
  add(cell: number, values: ArrayLike<number>, hasPrior: boolean): void {
    this.counts[cell]!++
    if (hasPrior) this.withPrior[cell]!++
    for (let a = 0; a < this.width; a++) if (isLarge(values[a]!)) return this.addLarge(cell, values)
    let pair = cell * this.pairs.length
    for (let a = 0; a < this.width; a++) {
      const value = values[a]!
      if (value !== 0) this.sums.add(cell * this.width + a, 0, value)
      for (let b = a; b < this.width; b++, pair++) if (value !== 0) this.products.add(pair, 0, value * values[b]!)
    }
  }

  /** The moments of the units in a cell. */
  of(cell: number): Moments {
    const { width, pairs } = this
    const large = Array.from({ length: width }, (_, at) => (this.large.has(cell * width + at) ? 1 : 0))
    return {
      n: this.counts[cell]!,
      withPrior: this.withPrior[cell]!,
      sums: large.map((own, at) => this.sums.total(cell * width + at, own)),
      products: pairs.map(([a, b], at) => this.products.total(cell * pairs.length + at, large[a]! + large[b]!)),
      ...(large.includes(1) ? { exponents: large.map((own) => own * largeExponent) } : {})
    }
  }

  private addLarge(cell: number, values: ArrayLike<number>): void {
    const sized = Array.from(values, (value) =>
      isLarge(value) ? { value: value * shrink, large: 1 } : { value, large: 0 }
    )
    for (const [at, { value, large }] of sized.entries()) {
      this.sums.add(cell * this.width + at, large, value)
      if (large === 1) this.large.add(cell * this.width + at)
    }
    for (const [at, [a, b]] of this.pairs.entries()) {
      const [one, other] = [sized[a]!, sized[b]!]
      this.products.add(cell * this.pairs.length + at, one.large + other.large, one.value * other.value)
    }
  }
}
