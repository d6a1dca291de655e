import { type RetentionColumn, columnsOf } from "../../../../../domain/analytics/retention/RetentionCells.ts"
import type { RetentionPlan } from "../../../../../domain/analytics/retention/RetentionPlan.ts"
import { CommonBits } from "../../bytes/CommonBits.ts"
import { countCommon, countUnits, unite, type UnitBits } from "../UnitBits.ts"

/**
 * Retention over calendar periods from bitmaps: for each period, the units that started and the units that returned.
 */
export class RetentionBits {
  private readonly starts: ReadonlyArray<UnitBits>
  private readonly returns: ReadonlyArray<UnitBits>
  private readonly common: CommonBits

  constructor(starts: ReadonlyArray<UnitBits>, returns: ReadonlyArray<UnitBits>) {
    this.starts = starts
    this.returns = returns
    this.common = new CommonBits([...starts, ...returns], countCommon)
  }

  /** For each period, the size of its cohort and the number of units retained in each column. */
  count(plan: RetentionPlan): { readonly sizes: Float64Array; readonly counts: ReadonlyArray<Float64Array> } {
    const columns = columnsOf(plan.criterion)
    const sizes = Float64Array.from(this.starts, countUnits)
    const isShown = (period: number) =>
      plan.dateBy === "return" || (period >= plan.firstRow && period < plan.firstRow + plan.rows)
    const counts = this.starts.map((_, period) =>
      isShown(period) && sizes[period]! > 0 ? this.retained(period, columns) : new Float64Array(columns.length)
    )
    return { sizes, counts }
  }

  /**
   * Unites the returns of a column's periods with the start set; a column that extends the one before reuses its union.
   */
  private retained(period: number, columns: ReadonlyArray<RetentionColumn>): Float64Array {
    const starts = this.starts[period]!
    const united = new Uint32Array(starts.length)
    let [from, to] = [0, 0]
    return Float64Array.from(columns, (column) => {
      const last = Math.min(this.returns.length - 1, period + column[1])
      const first = period + column[0]
      if (first > last) return 0
      if (first === last) return this.common.count(period, this.starts.length + first)
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
