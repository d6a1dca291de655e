import { exposureType } from "../../../domain/analytics/filter/Memberships.ts"
import type { FunnelPlan } from "../../../domain/analytics/funnel/FunnelPlan.ts"
import type { HeatmapPlan } from "../../../domain/analytics/heatmap/HeatmapPlan.ts"
import type { InsightPlan } from "../../../domain/analytics/insight/InsightPlan.ts"
import type { Answers, EventQuestion } from "../../../domain/analytics/question/Question.ts"
import { returnRange } from "../../../domain/analytics/retention/RetentionCells.ts"
import type { RetentionPlan } from "../../../domain/analytics/retention/RetentionPlan.ts"
import type { TimeSpan } from "../../../domain/analytics/time/Buckets.ts"

/** The markers that a question can depend on: those of the types, units and instants; null: of all. */
export interface Scope {
  readonly types: ReadonlyArray<string> | null
  readonly units: ReadonlyArray<string> | null
  readonly range: TimeSpan
}

const always: TimeSpan = { from: -Infinity, to: Infinity }

export const whole: Scope = { types: null, units: null, range: always }

/** Who was exposed to experiments. */
export const exposures: Scope = { ...whole, types: [exposureType] }

const hull = (ranges: ReadonlyArray<TimeSpan>): TimeSpan => ({
  from: Math.min(...ranges.map(({ from }) => from)),
  to: Math.max(...ranges.map(({ to }) => to))
})

const insight = ({ metrics, range }: InsightPlan): Scope => ({
  ...whole,
  types: metrics.flatMap(({ selector }) => selector.types),
  range: hull([
    range,
    ...metrics.flatMap(({ measure }) =>
      measure.type === "activeUsers"
        ? measure.spans
        : measure.type === "firstTimeUsers"
          ? [{ from: -Infinity, to: range.to }]
          : []
    )
  ])
})

const funnel = ({ steps, exclusions, order, range }: FunnelPlan): Scope => ({
  ...whole,
  types: order === "strict" ? null : [...steps, ...exclusions].flatMap(({ selector }) => selector.types),
  range
})

/** A breakdown by a property takes the latest value that the unit ever had. */
const retention = (plan: RetentionPlan): Scope => {
  if (plan.breakdowns.some(({ source }) => source === "property")) return whole
  const range = returnRange(plan)
  return {
    ...whole,
    types: [...plan.start.types, ...plan.return.types],
    range: plan.startMode === "firstTime" ? { ...range, from: -Infinity } : range
  }
}

const heatmap = ({ selectors, range }: HeatmapPlan): Scope => ({
  ...whole,
  types: selectors.flatMap(({ types }) => types),
  range
})

/** The kinds of question that are answered from markers. */
export type EventKind = EventQuestion["kind"]

type Scopes = { readonly [Kind in EventKind]: (plan: Answers[Kind]["plan"]) => Scope }

/** What a question of each kind depends on, beside who belongs to cohorts and experiments. */
export const scopes: Scopes = {
  insight,
  funnel,
  retention,
  heatmap,
  insightUnits: (plan) => insight(plan.insight),
  funnelUnits: (plan) => funnel(plan.funnel),
  funnelNext: ({ units }) => ({ ...whole, range: { from: units.funnel.range.from, to: Infinity } }),
  retentionUnits: (plan) => retention(plan.retention),
  heatmapUnits: (plan) => heatmap(plan.heatmap),
  heatmapArguments: (plan) => heatmap(plan.heatmap),
  scorecard: ({ range }) => ({ ...whole, range: { from: -Infinity, to: range.to } }),
  listing: ({ types, unitId, range }) => ({ types, units: unitId === null ? null : [unitId], range }),
  countedUnits: ({ selector, range }) => ({ ...whole, types: selector.types, range }),
  typeCounts: ({ boundaries }) => ({ ...whole, range: { from: boundaries[0] ?? 0, to: boundaries.at(-1) ?? 0 } }),
  unit: ({ unitId }) => ({ ...whole, units: [unitId] }),
  profile: ({ unitId }) => ({ ...whole, units: [unitId] }),
  revenue: ({ units }) => ({ ...whole, units: units.map(({ unitId }) => unitId) }),
  players: () => whole
}
