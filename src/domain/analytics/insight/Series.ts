import { evaluateFormula } from "./Formula.ts"
import type { ParsedFormula } from "./Formulas.ts"
import type { Points } from "./InsightPlan.ts"
import { exactSum, MovingSum } from "./Sum.ts"

const valueOrNull = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value

/** The values of the buckets, then the aggregate; NaN where there is none. */
const columnOf = ({ values, aggregate }: Points): Float64Array =>
  Float64Array.from([...values, aggregate], (value) => value ?? NaN)

const pointsOf = (column: Float64Array): Points => ({
  values: Array.from(column.subarray(0, -1), valueOrNull),
  aggregate: valueOrNull(column.at(-1))
})

/**
 * The points of all metrics of one group by id, formulas included. A formula's points are computed from the points of
 * the same bucket, its aggregate from the aggregates. `formulas` must be in the order of `orderFormulas`.
 */
export const withFormulas = (
  metrics: ReadonlyMap<string, Points>,
  formulas: ReadonlyArray<ParsedFormula>,
  buckets: number
): ReadonlyMap<string, Points> => {
  if (formulas.length === 0) return metrics
  const all = new Map(metrics)
  const columns = new Map([...metrics].map(([id, points]) => [id, columnOf(points)] as const))
  const nothing = new Float64Array(buckets + 1).fill(NaN)
  for (const { id, formula } of formulas) {
    const column = evaluateFormula(formula, (named) => columns.get(named) ?? nothing, buckets + 1)
    columns.set(id, column)
    all.set(id, pointsOf(column))
  }
  return all
}

/**
 * The mean of each bucket and up to `width - 1` buckets before it, ignoring nulls; null if all are. The aggregate is
 * kept.
 */
export const movingAverage = ({ values, aggregate }: Points, width: number): Points => {
  const sum = new MovingSum()
  let count = 0
  return {
    values: values.map((value, end) => {
      const gone = end < width ? null : (values[end - width] ?? null)
      if (gone !== null) sum.add(-gone)
      if (value !== null) sum.add(value)
      count += Number(value !== null) - Number(gone !== null)
      if (count === 0) return null
      if (Number.isFinite(sum.value)) return sum.value / count
      return exactSum(values.slice(Math.max(0, end - width + 1), end + 1).filter((each) => each !== null)) / count
    }),
    aggregate
  }
}
