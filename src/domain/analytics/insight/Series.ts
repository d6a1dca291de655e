import { type Group, groupKey } from "../filter/Breakdown.ts"
import { evaluateFormula } from "./Formula.ts"
import type { ParsedFormula } from "./Formulas.ts"
import type { InsightAnswer, Points } from "./InsightPlan.ts"
import { exactSum } from "./Sum.ts"

const combine = ({ formula }: ParsedFormula, metrics: ReadonlyMap<string, Points>, buckets: number): Points => ({
  values: Array.from({ length: buckets }, (_, bucket) =>
    evaluateFormula(formula, (id) => metrics.get(id)?.values[bucket] ?? null)
  ),
  aggregate: evaluateFormula(formula, (id) => metrics.get(id)?.aggregate ?? null)
})

/**
 * The points of every metric of one group by its id, formulas included: per bucket from the buckets, the aggregate from the
 * aggregates. `formulas` stand in the order of `orderFormulas`.
 */
export const withFormulas = (
  metrics: ReadonlyMap<string, Points>,
  formulas: ReadonlyArray<ParsedFormula>,
  buckets: number
): ReadonlyMap<string, Points> => {
  const all = new Map(metrics)
  for (const formula of formulas) all.set(formula.id, combine(formula, all, buckets))
  return all
}

/** Mean of each bucket and up to `width - 1` buckets before it, nulls left aside; null where all are. The aggregate stays. */
export const movingAverage = ({ values, aggregate }: Points, width: number): Points => ({
  values: values.map((_, end) => {
    const known = values.slice(Math.max(0, end - width + 1), end + 1).filter((value) => value !== null)
    return known.length === 0 ? null : exactSum(known) / known.length
  }),
  aggregate
})

const nothing = (buckets: number): Points => ({ values: Array.from({ length: buckets }, () => null), aggregate: null })

/** The points of a group in the answer of the previous period, null everywhere when the group was not there. */
export const previousPoints = (previous: InsightAnswer, metric: number, group: Group, buckets: number): Points => {
  const key = groupKey(group.values)
  const index = previous.groups.findIndex(
    ({ values, isOther }) => isOther === group.isOther && (isOther || groupKey(values) === key)
  )
  return previous.metrics[metric]?.[index] ?? nothing(buckets)
}
