import type { Dimension } from "../../../src/domain/analytics/filter/Breakdown.ts"
import type { StoredEvent } from "../../../src/domain/analytics/markers/Event.ts"
import type { FilterCondition, Filter, UnitSet } from "../../../src/domain/analytics/filter/Filter.ts"
import type { FunnelPlan } from "../../../src/domain/analytics/funnel/FunnelPlan.ts"
import type { InsightPlan, Measure } from "../../../src/domain/analytics/insight/InsightPlan.ts"
import type { RetentionPlan } from "../../../src/domain/analytics/retention/RetentionPlan.ts"
import type { Selector } from "../../../src/domain/analytics/filter/Selector.ts"
import type { MappedTrend } from "./PostHogTrends.ts"

/** The id of a cohort with exactly these members. */
export type CohortIdOf = (members: UnitSet) => number

const iso = (instant: number): string => new Date(instant).toISOString()

/** A marker as a game sends it in the dialect that keeps arguments and properties apart. */
export const markerBody = ({ sequence, type, unitId, timestamp, ...rest }: StoredEvent) => ({
  markerId: `00000000-0000-4000-8000-${String(sequence).padStart(12, "0")}`,
  timestamp,
  type,
  value: rest.arguments,
  userId: unitId,
  properties: rest.properties
})

const conditionBody = (condition: FilterCondition, cohortIdOf: CohortIdOf) => {
  if ("operands" in condition) {
    const { source, name, operator, operands } = condition
    return { source, name, operator, ...(operands.length === 0 ? {} : { value: operands }) }
  }
  if (!("members" in condition)) throw new Error(`A reference to a ${condition.source}`)
  const id = cohortIdOf(condition.members)
  return { source: "cohort", name: String(id), operator: condition.isIn ? "isIn" : "isNotIn", value: [id] }
}

const filterBody = ({ match, conditions }: Filter, cohortIdOf: CohortIdOf) => ({
  match,
  filters: conditions.map((condition) => conditionBody(condition, cohortIdOf))
})

const selectorBody = ({ types, filter }: Selector, cohortIdOf: CohortIdOf) => ({
  name: types,
  ...filterBody(filter, cohortIdOf)
})

const breakdownBody = (dimension: Dimension) => {
  if (!("name" in dimension)) throw new Error("A breakdown by a reference")
  return { source: dimension.source, name: dimension.name }
}

const measureBody = (measure: Measure) => {
  if (measure.type !== "activeUsers") return measure
  return { type: measure.days === 7 ? "wau" : "mau" }
}

export const trendBody = (
  { plan, time }: { plan: InsightPlan; time: MappedTrend["time"] },
  cohortIdOf: CohortIdOf
) => ({
  time: { step: time.buckets.step, timezone: time.buckets.zone, from: iso(plan.range.from), to: iso(plan.range.to) },
  metrics: plan.metrics.map(({ id, selector, measure }) => ({
    id: `M${id}`,
    data: { ...selectorBody(selector, cohortIdOf), ...measureBody(measure) }
  })),
  ...filterBody(plan.filter, cohortIdOf),
  breakdowns: plan.breakdowns.map(breakdownBody),
  breakdownLimit: plan.breakdownLimit
})

/** With `overTime`, the days of the plan. */
export const funnelBody = (plan: FunnelPlan, cohortIdOf: CohortIdOf) => ({
  time: {
    step: plan.overTime?.step ?? "day",
    timezone: plan.overTime?.zone ?? "UTC",
    from: iso(plan.range.from),
    to: iso(plan.range.to)
  },
  steps: plan.steps.map(({ selector, optional }, step) => ({
    id: `step ${step}`,
    optional,
    ...selectorBody(selector, cohortIdOf)
  })),
  conversionWindow: { step: "second", value: plan.window / 1000 },
  order: plan.order,
  exclusions: plan.exclusions.map(({ selector, fromStep, toStep }) => ({
    fromStep,
    toStep,
    ...selectorBody(selector, cohortIdOf)
  })),
  ...filterBody(plan.filter, cohortIdOf),
  breakdowns: plan.breakdowns.map(breakdownBody),
  breakdownLimit: plan.breakdownLimit,
  breakdownAttribution: plan.attribution.type === "step" ? { step: plan.attribution.step } : plan.attribution.type,
  ...(plan.overTime === null ? {} : { options: { display: "overTime" } })
})

/** Asks for as many columns as rows where the plan has fewer: rows are at most the columns asked for. */
export const retentionBody = (plan: RetentionPlan, cohortIdOf: CohortIdOf) => {
  const { step, zone, boundaries } = plan.periods
  const { criterion } = plan
  return {
    time: { step, timezone: zone, from: iso(boundaries[0]!), to: iso(boundaries[plan.rows]!) },
    interval: step,
    intervals: Math.max(plan.rows, criterion.type === "brackets" ? 1 : criterion.columns),
    start: selectorBody(plan.start, cohortIdOf),
    return: selectorBody(plan.return, cohortIdOf),
    startMode: plan.startMode,
    criterion: criterion.type === "brackets" ? { brackets: criterion.brackets } : criterion.type,
    window: plan.window,
    minimumOccurrences: plan.minimumOccurrences,
    ...filterBody(plan.filter, cohortIdOf),
    breakdowns: plan.breakdowns.map(breakdownBody)
  }
}

/** The sets of members that the filters of a plan name. */
export const cohortsOf = (filters: ReadonlyArray<Filter>): ReadonlyArray<UnitSet> =>
  filters.flatMap(({ conditions }) => conditions.flatMap((one) => ("members" in one ? [one.members] : [])))
