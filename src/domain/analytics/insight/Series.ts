import { evaluateFormula } from "./Formula.ts"
import type { ParsedFormula } from "./Formulas.ts"
import type { Points } from "./InsightPlan.ts"
import { exactSum, MovingSum } from "./Sum.ts"

const valueOrNull = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value

const pointsOf = (column: Float64Array): Points => ({
  values: Array.from(column.subarray(0, -1), valueOrNull),
  aggregate: valueOrNull(column.at(-1))
})

type GroupPoints = ReadonlyMap<string, Points>

/** For each group the values of a metric in its buckets, then the aggregate; NaN where there is none. */
const columnOf = (groups: ReadonlyArray<GroupPoints>, id: string, buckets: number): Float64Array => {
  const width = buckets + 1
  const column = new Float64Array(groups.length * width).fill(NaN)
  for (const [group, metrics] of groups.entries()) {
    const points = metrics.get(id)
    for (let bucket = 0; bucket < buckets; bucket++) column[group * width + bucket] = points?.values[bucket] ?? NaN
    column[group * width + buckets] = points?.aggregate ?? NaN
  }
  return column
}

/**
 * The points of all metrics of each group by id, formulas included. A formula's points are computed from the points of
 * the same bucket, its aggregate from the aggregates; for all groups at once, because there may be thousands with few
 * buckets. `formulas` must be in the order of `orderFormulas`.
 */
export const withFormulas = (
  groups: ReadonlyArray<GroupPoints>,
  formulas: ReadonlyArray<ParsedFormula>,
  buckets: number
): ReadonlyArray<GroupPoints> => {
  const width = buckets + 1
  const columns = new Map<string, Float64Array>()
  const columnFor = (id: string): Float64Array => {
    const column = columns.get(id) ?? columnOf(groups, id, buckets)
    columns.set(id, column)
    return column
  }
  for (const { id, formula } of formulas) columns.set(id, evaluateFormula(formula, columnFor, groups.length * width))
  return groups.map((metrics, group) => {
    const own = formulas.map(({ id }) => {
      const points = pointsOf(columnFor(id).subarray(group * width, (group + 1) * width))
      return [id, points] as const
    })
    return new Map([...metrics, ...own])
  })
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
