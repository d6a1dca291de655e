import { DateTime, Either } from "effect"
import type { Scalar } from "../markers/Event.ts"
import type { PeriodComparison, PlannedInsight } from "./InsightQuery.ts"
import type { InsightAnswer, Points } from "./InsightPlan.ts"
import { countOf } from "../time/Buckets.ts"
import type { BreakdownGroup } from "../filter/Breakdown.ts"
import { groupKey } from "../filter/Breakdown.ts"
import { type Checked, problem } from "../question/QueryProblem.ts"
import { movingAverageSteps, withFormulasSteps } from "./Series.ts"
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
  { values, isOther }: BreakdownGroup
): ReadonlyArray<GroupLabel> =>
  dimensions.map(({ name }, index) => ({ name, value: isOther ? "Other" : (values[index] ?? null) }))

/** The points of the groups of the answer, each by the ids of the visible metrics. */
function* pointSteps({ plan, formulas, query }: PlannedInsight, { groups, metrics }: InsightAnswer) {
  const stored = groups.map((_, group) => {
    const own = plan.metrics.flatMap(({ id }, metric) => {
      const points = metrics[metric]?.[group]
      return points === undefined ? [] : [[id, points] as const]
    })
    return new Map(own)
  })
  const width = query.options.movingAverage
  const shown: Array<ReadonlyMap<string, Points>> = []
  for (const all of yield* withFormulasSteps(stored, formulas, countOf(plan.buckets))) {
    const own = new Map<string, Points>()
    for (const { id } of visibleOf(query)) {
      const points = all.get(id)
      if (points !== undefined) own.set(id, width === undefined ? points : yield* movingAverageSteps(points, width))
    }
    shown.push(own)
    yield undefined
  }
  return shown
}

const visibleOf = ({ metrics }: PlannedInsight["query"]) => metrics.filter(({ visible }) => visible)

const keyOf = ({ values, isOther }: BreakdownGroup): string => (isOther ? "other" : groupKey(values))

/** The answer for the previous period, and that period's range. */
export interface Earlier extends PeriodComparison {
  readonly answer: InsightAnswer
}

/** Returns a function that finds what each visible metric of a group is compared with, by its id; nothing where the group was absent. */
function* comparisonSteps(planned: PlannedInsight, earlier: Earlier | null) {
  if (earlier === null) return () => new Map<string, never>()
  const { from, to } = earlier.time.range
  const range = { from: DateTime.unsafeMake(from), to: DateTime.unsafeMake(to) }
  const points = yield* pointSteps(planned, earlier.answer)
  const before = new Map(earlier.answer.groups.map((group, index) => [keyOf(group), points[index]]))
  return (group: BreakdownGroup) => {
    const found = before.get(keyOf(group)) ?? []
    return new Map([...found].map(([id, own]) => [id, { compare: { ...range, ...own } }] as const))
  }
}

/**
 * One series for each visible metric and group, metrics in the order of the query. Refused if it has more than
 * `maximumPoints` points. In steps, because formulas and moving averages may take long.
 */
export function* insightSeriesSteps(
  planned: PlannedInsight,
  answer: InsightAnswer,
  earlier: Earlier | null
): Generator<undefined, Checked<ReadonlyArray<InsightSeries>>> {
  const visible = visibleOf(planned.query)
  if (visible.length * answer.groups.length * countOf(planned.plan.buckets) > maximumPoints) {
    return problem(
      "limit",
      `breakdowns: the result would have more than ${maximumPoints} points: lower breakdownLimit, or ask for a shorter time or a longer step`
    )
  }
  const points = yield* pointSteps(planned, answer)
  const comparedOf = yield* comparisonSteps(planned, earlier)
  const groups = answer.groups.map((group, index) => ({
    breakdown: labelsOf(planned.plan.breakdowns, group),
    points: points[index],
    compared: comparedOf(group)
  }))
  return Either.right(
    visible.flatMap(({ id }) =>
      groups.flatMap(({ breakdown, points, compared }) => {
        const own = points?.get(id)
        return own === undefined ? [] : [{ metricId: id, breakdown, ...own, ...compared.get(id) }]
      })
    )
  )
}
