import type { CohortId, ExperimentGroupId, ExperimentId } from "../../Ids.ts"
import type { Dimension, UnitGroups } from "../filter/Breakdown.ts"
import type { FilterCondition, Filter, Reference, UnitSet } from "../filter/Filter.ts"
import type { FunnelPlan } from "../funnel/FunnelPlan.ts"
import type { HeatmapPlan } from "../heatmap/HeatmapPlan.ts"
import type { InsightPlan } from "../insight/InsightPlan.ts"
import type { RetentionPlan } from "../retention/RetentionPlan.ts"
import type { Memberships } from "../filter/Memberships.ts"
import type { Answers } from "./Question.ts"
import type { Amount, PlannedMetric } from "../../experiments/results/ScorecardPlan.ts"
import type { Selector } from "../filter/Selector.ts"

/** The kinds of question whose plans may contain references. */
export type ReferringKind =
  | "insight"
  | "funnel"
  | "funnelUnits"
  | "funnelNext"
  | "insightUnits"
  | "retentionUnits"
  | "heatmapUnits"
  | "heatmapArguments"
  | "retention"
  | "heatmap"
  | "scorecard"
  | "listing"
  | "countedUnits"

/** Replaces each condition and dimension of a plan. */
export interface Rewriting {
  readonly condition: (condition: FilterCondition) => FilterCondition
  readonly dimension: (dimension: Dimension) => Dimension
}

const filter = ({ match, conditions }: Filter, { condition }: Rewriting): Filter => ({
  match,
  conditions: conditions.map(condition)
})

const selector = (given: Selector, rewriting: Rewriting): Selector => ({
  ...given,
  filter: filter(given.filter, rewriting)
})

const funnel = (plan: FunnelPlan, rewriting: Rewriting): FunnelPlan => ({
  ...plan,
  steps: plan.steps.map((step) => ({ ...step, selector: selector(step.selector, rewriting) })),
  exclusions: plan.exclusions.map((exclusion) => ({ ...exclusion, selector: selector(exclusion.selector, rewriting) })),
  holdConstant: plan.holdConstant.map(rewriting.dimension),
  breakdowns: plan.breakdowns.map(rewriting.dimension),
  filter: filter(plan.filter, rewriting)
})

const insight = (plan: InsightPlan, rewriting: Rewriting): InsightPlan => ({
  ...plan,
  metrics: plan.metrics.map((metric) => ({ ...metric, selector: selector(metric.selector, rewriting) })),
  filter: filter(plan.filter, rewriting),
  breakdowns: plan.breakdowns.map(rewriting.dimension)
})

const retention = (plan: RetentionPlan, rewriting: Rewriting): RetentionPlan => ({
  ...plan,
  start: selector(plan.start, rewriting),
  return: selector(plan.return, rewriting),
  filter: filter(plan.filter, rewriting),
  breakdowns: plan.breakdowns.map(rewriting.dimension)
})

const heatmap = (plan: HeatmapPlan, rewriting: Rewriting): HeatmapPlan => ({
  ...plan,
  selectors: plan.selectors.map((each) => selector(each, rewriting)),
  filter: filter(plan.filter, rewriting)
})

/** The metric of an experiment with its conditions and dimensions rewritten. */
export const rewrittenMetric = (planned: PlannedMetric, rewriting: Rewriting): PlannedMetric => {
  if (planned.type === "funnel") return { ...planned, funnel: funnel(planned.funnel, rewriting) }
  const amount = (each: Amount): Amount => ({
    ...each,
    selector: selector(each.selector, rewriting),
    filter: filter(each.filter, rewriting)
  })
  const [first, second] = planned.amounts
  return { ...planned, amounts: second === undefined ? [amount(first)] : [amount(first), amount(second)] }
}

type Rewriters = {
  readonly [Kind in ReferringKind]: (plan: Answers[Kind]["plan"], rewriting: Rewriting) => Answers[Kind]["plan"]
}

/** For each kind of question: the plan with its conditions and dimensions rewritten. */
export const rewritten: Rewriters = {
  insight,
  funnel,
  retention,
  heatmap,
  insightUnits: (plan, rewriting) => ({ ...plan, insight: insight(plan.insight, rewriting) }),
  funnelUnits: (plan, rewriting) => ({ ...plan, funnel: funnel(plan.funnel, rewriting) }),
  funnelNext: ({ units, types }, rewriting) => ({
    units: { ...units, funnel: funnel(units.funnel, rewriting) },
    types
  }),
  retentionUnits: (plan, rewriting) => ({ ...plan, retention: retention(plan.retention, rewriting) }),
  heatmapUnits: (plan, rewriting) => ({ ...plan, heatmap: heatmap(plan.heatmap, rewriting) }),
  heatmapArguments: (plan, rewriting) => ({ ...plan, heatmap: heatmap(plan.heatmap, rewriting) }),
  scorecard: (plan, rewriting) => ({
    ...plan,
    ...(plan.entry === undefined ? {} : { entry: filter(plan.entry, rewriting) }),
    metrics: plan.metrics.map((each) => rewrittenMetric(each, rewriting))
  }),
  listing: (plan, rewriting) => ({ ...plan, filter: filter(plan.filter, rewriting) }),
  countedUnits: (plan, rewriting) => ({ ...plan, selector: selector(plan.selector, rewriting) })
}

/** The units that a reference names, regardless of `isIn`. */
export const unitsOf = (reference: Reference, { cohort, experiment }: Memberships): UnitSet => {
  const key = JSON.stringify({ ...reference, isIn: true })
  if (reference.source === "cohort")
    return { key, units: new Set(reference.cohortIds.flatMap((id) => [...cohort(id)])) }
  const groups = new Set<number>(reference.groupIds)
  const units = [...experiment(reference.experimentId)].filter(([, group]) => groups.size === 0 || groups.has(group))
  return { key, units: new Set(units.map(([unitId]) => unitId)) }
}

const groupsOf = (
  dimension: Extract<Dimension, { readonly cohortId: CohortId } | { readonly experimentId: ExperimentId }>,
  { cohort, experiment }: Memberships
): UnitGroups => {
  const key = `${dimension.source} ${dimension.name}`
  if (dimension.source === "experiment") return { key, groups: experiment(dimension.experimentId), otherwise: null }
  const members = [...cohort(dimension.cohortId)].map((unitId) => [unitId, "in"] as const)
  return { key, groups: new Map(members), otherwise: "not in" }
}

/** A rewriting that replaces each reference by its members. */
export const resolving = (memberships: Memberships): Rewriting => ({
  condition: (condition) => {
    if (!("isIn" in condition) || "members" in condition) return condition
    const { source, isIn } = condition
    return { source, members: unitsOf(condition, memberships), isIn }
  },
  dimension: (dimension) => {
    if (!("cohortId" in dimension) && !("experimentId" in dimension)) return dimension
    const { source, name } = dimension
    return { source, name, groups: groupsOf(dimension, memberships) }
  }
})

/** Collects the cohorts and experiments that plans refer to. */
export class ReferenceList {
  readonly cohorts = new Set<CohortId>()
  /** By experiment, the groups referred to. */
  readonly experiments = new Map<ExperimentId, Set<ExperimentGroupId>>()

  /** A rewriting that changes nothing, but records each reference it meets. */
  readonly collecting: Rewriting = {
    condition: (condition) => {
      if ("cohortIds" in condition) for (const id of condition.cohortIds) this.cohorts.add(id)
      if ("experimentId" in condition) this.experiment(condition.experimentId, condition.groupIds)
      return condition
    },
    dimension: (dimension) => {
      if ("cohortId" in dimension) this.cohorts.add(dimension.cohortId)
      if ("experimentId" in dimension) this.experiment(dimension.experimentId, [])
      return dimension
    }
  }

  private experiment(id: ExperimentId, groupIds: ReadonlyArray<ExperimentGroupId>): void {
    const known = this.experiments.get(id) ?? new Set()
    for (const group of groupIds) known.add(group)
    this.experiments.set(id, known)
  }
}
