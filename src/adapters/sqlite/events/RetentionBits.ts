import { type Column, columnsOf } from "../../../domain/analytics/RetentionCells.ts"
import type { RetentionPlan } from "../../../domain/analytics/RetentionPlan.ts"

const ones = (word: number): number => {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

const countOf = (words: Uint32Array): number => {
  let count = 0
  for (let at = 0; at < words.length; at++) count += ones(words[at]!)
  return count
}

const countCommon = (a: Uint32Array, b: Uint32Array): number => {
  let count = 0
  for (let at = 0; at < a.length; at++) {
    const word = a[at]! & b[at]!
    if (word !== 0) count += ones(word)
  }
  return count
}

const unite = (into: Uint32Array, words: Uint32Array): void => {
  for (let at = 0; at < into.length; at++) into[at]! |= words[at]!
}

/** Units with a start and units with a return, one bitmap for each period. */
export class RetentionBits {
  private readonly starts: ReadonlyArray<Uint32Array>
  private readonly returns: ReadonlyArray<Uint32Array>

  constructor(starts: ReadonlyArray<Uint32Array>, returns: ReadonlyArray<Uint32Array>) {
    this.starts = starts
    this.returns = returns
  }

  /** For each period the size of its cohort and the units retained in each column. */
  count(plan: RetentionPlan): { readonly sizes: Float64Array; readonly counts: ReadonlyArray<Float64Array> } {
    const columns = columnsOf(plan.criterion)
    const sizes = Float64Array.from(this.starts, countOf)
    const isShown = (period: number) =>
      plan.dateBy === "return" || (period >= plan.firstRow && period < plan.firstRow + plan.rows)
    const counts = this.starts.map((_, period) =>
      isShown(period) && sizes[period]! > 0 ? this.retained(period, columns) : new Float64Array(columns.length)
    )
    return { sizes, counts }
  }

  private retained(period: number, columns: ReadonlyArray<Column>): Float64Array {
    const starts = this.starts[period]!
    const united = new Uint32Array(starts.length)
    let [from, to] = [0, 0]
    return Float64Array.from(columns, (column) => {
      const last = Math.min(this.returns.length - 1, period + column[1])
      const first = period + column[0]
      if (first > last) return 0
      if (first === last) return countCommon(starts, this.returns[first]!)
      if (from !== first || to > last) {
        united.fill(0)
        from = first
        to = first - 1
      }
      while (to < last) unite(united, this.returns[++to]!)
      return countCommon(starts, united)
    })
  }
}
