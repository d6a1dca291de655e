import { DateTime, Either } from "effect"
import type { Scalar } from "../markers/Event.ts"
import type { Comparison, PlannedInsight } from "./InsightQuery.ts"
import type { InsightAnswer, Points } from "./InsightPlan.ts"
import { countOf } from "../time/Buckets.ts"
import type { Group } from "../filter/Breakdown.ts"
import { groupKey } from "../filter/Breakdown.ts"
import { type Checked, problem } from "../question/QueryProblem.ts"
import { movingAverage, withFormulas } from "./Series.ts"
import { maximumPoints } from "../time/TimeQuery.ts"

/** The value of one dimension that names a group; `Other` for the merged group. */
export interface GroupLabel {
  readonly name: string
  readonly value: Scalar | null
}

export interface InsightSeries extends Points {
  readonly metricId: string
  readonly breakdown: ReadonlyArray<GroupLabel>
  readonly compare?: Points & { readonly from: DateTime.Utc; readonly to: DateTime.Utc }
}

/** The labels of a group, one for each dimension. */
export const labelsOf = (
  dimensions: ReadonlyArray<{ readonly name: string }>,
  { values, isOther }: Group
): ReadonlyArray<GroupLabel> =>
  dimensions.map(({ name }, index) => ({ name, value: isOther ? "Other" : (values[index] ?? null) }))

const pointsOf = ({ plan, formulas, query }: PlannedInsight, answer: InsightAnswer, group: number) => {
  const stored = plan.metrics.flatMap(({ id }, metric) => {
    const points = answer.metrics[metric]?.[group]
    return points === undefined ? [] : [[id, points] as const]
  })
  const all = withFormulas(new Map(stored), formulas, countOf(plan.buckets))
  const width = query.options.movingAverage
  if (width === undefined) return all
  return new Map([...all].map(([id, points]) => [id, movingAverage(points, width)] as const))
}

const keyOf = ({ values, isOther }: Group): string => (isOther ? "other" : groupKey(values))

/** The answer for the previous period, and that period's range. */
export interface Earlier extends Comparison {
  readonly answer: InsightAnswer
}

const compared = (planned: PlannedInsight, earlier: Earlier | null, group: Group, id: string) => {
  if (earlier === null) return {}
  const index = earlier.answer.groups.findIndex((other) => keyOf(other) === keyOf(group))
  const points = index < 0 ? undefined : pointsOf(planned, earlier.answer, index).get(id)
  if (points === undefined) return {}
  const { from, to } = earlier.time.range
  return { compare: { from: DateTime.unsafeMake(from), to: DateTime.unsafeMake(to), ...points } }
}

/**
 * One series for each visible metric and group, metrics in the order of the query. Refused if it has more than
 * `maximumPoints` points.
 */
export const insightSeries = (
  planned: PlannedInsight,
  answer: InsightAnswer,
  earlier: Earlier | null
): Checked<ReadonlyArray<InsightSeries>> => {
  const visible = planned.query.metrics.filter((metric) => metric.visible)
  if (visible.length * answer.groups.length * countOf(planned.plan.buckets) > maximumPoints) {
    return problem("limit", `breakdowns: more than ${maximumPoints} points in the result`)
  }
  const points = answer.groups.map((_, group) => pointsOf(planned, answer, group))
  return Either.right(
    visible.flatMap(({ id }) =>
      answer.groups.flatMap((group, index) => {
        const own = points[index]?.get(id)
        if (own === undefined) return []
        const breakdown = labelsOf(planned.plan.breakdowns, group)
        return [{ metricId: id, breakdown, ...own, ...compared(planned, earlier, group, id) }]
      })
    )
  )
}
