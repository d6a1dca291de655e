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
 * The points of all metrics of one group by id, formulas included. A formula's points are computed from the points of
 * the same bucket, its aggregate from the aggregates. `formulas` must be in the order of `orderFormulas`.
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

/**
 * The mean of each bucket and up to `width - 1` buckets before it, ignoring nulls; null if all are. The aggregate is
 * kept.
 */
export const movingAverage = ({ values, aggregate }: Points, width: number): Points => ({
  values: values.map((_, end) => {
    const known = values.slice(Math.max(0, end - width + 1), end + 1).filter((value) => value !== null)
    return known.length === 0 ? null : exactSum(known) / known.length
  }),
  aggregate
})

const nothing = (buckets: number): Points => ({ values: Array.from({ length: buckets }, () => null), aggregate: null })

/** A group's points in the answer of the previous period; null throughout if the group was absent. */
export const previousPoints = (previous: InsightAnswer, metric: number, group: Group, buckets: number): Points => {
  const key = groupKey(group.values)
  const index = previous.groups.findIndex(
    ({ values, isOther }) => isOther === group.isOther && (isOther || groupKey(values) === key)
  )
  return previous.metrics[metric]?.[index] ?? nothing(buckets)
}
