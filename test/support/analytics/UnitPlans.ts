import { FastCheck as fc } from "effect"
import { type BreakdownGroup, other, whole } from "../../../src/domain/analytics/filter/Breakdown.ts"
import type { FunnelUnitsPlan } from "../../../src/domain/analytics/funnel/FunnelPlan.ts"
import type { HeatmapUnitsPlan } from "../../../src/domain/analytics/heatmap/HeatmapUnits.ts"
import type { InsightUnitsPlan } from "../../../src/domain/analytics/insight/InsightUnits.ts"
import { columnsOf } from "../../../src/domain/analytics/retention/RetentionCells.ts"
import type { RetentionUnitsPlan } from "../../../src/domain/analytics/retention/RetentionUnits.ts"
import { countOf } from "../../../src/domain/analytics/time/Buckets.ts"
import { corner, funnelPlan, heatmapPlan, insightPlan, plainFunnelPlan, retentionPlan } from "./Plans.ts"

const paging = { after: fc.constantFrom(null, null, "u0"), limit: fc.integer({ min: 1, max: 5 }) }

/** One of the groups that exist, or may exist; the merged one; or the merged one unless another has its name. */
const groupOf = (breakdowns: ReadonlyArray<unknown>): fc.Arbitrary<BreakdownGroup> =>
  breakdowns.length === 0
    ? fc.constant(whole)
    : fc.oneof(
        fc.constant(other),
        fc.record({
          values: fc.tuple(...breakdowns.map(() => fc.constantFrom("x", 1, null, "left", "middle", "in", "not in"))),
          isOther: fc.boolean()
        })
      )

export const insightUnitsPlan: fc.Arbitrary<InsightUnitsPlan> = insightPlan.chain((plan) =>
  fc.record({
    insight: fc.constant(plan),
    metric: fc.integer({ min: 0, max: plan.metrics.length - 1 }),
    bucket: fc.option(fc.integer({ min: 0, max: Math.max(0, countOf(plan.buckets) - 1) })),
    group: groupOf(plan.breakdowns),
    values: fc.boolean(),
    ...paging
  })
)

export const funnelUnitsPlan: fc.Arbitrary<FunnelUnitsPlan> = funnelPlan.chain((plan) =>
  fc.record({
    funnel: fc.constant(plan),
    step: fc.constant(1),
    outcome: fc.constantFrom("converted" as const, "dropped" as const),
    group: fc.option(groupOf(plan.breakdowns)),
    bin: plan.timeToConvert === undefined ? fc.constant(null) : fc.option(fc.nat({ max: plan.timeToConvert.bins - 1 })),
    ...paging
  })
)

/** Units of funnels that are matched step by step, at each of their steps. */
export const plainFunnelUnitsPlan: fc.Arbitrary<FunnelUnitsPlan> = plainFunnelPlan.chain((plan) =>
  fc.record({
    funnel: fc.constant(plan),
    step: fc.integer({ min: 1, max: plan.steps.length - 1 }),
    outcome: fc.constantFrom("converted" as const, "dropped" as const),
    group: fc.constant(null),
    bin: plan.timeToConvert === undefined ? fc.constant(null) : fc.option(fc.nat({ max: plan.timeToConvert.bins - 1 })),
    ...paging
  })
)

export const retentionUnitsPlan: fc.Arbitrary<RetentionUnitsPlan> = retentionPlan.chain((plan) =>
  fc.record({
    retention: fc.constant(plan),
    row: fc.integer({ min: 0, max: plan.rows - 1 }),
    column: fc.option(fc.integer({ min: 0, max: columnsOf(plan.criterion).length - 1 })),
    outcome: fc.constantFrom("returned" as const, "left" as const),
    group: groupOf(plan.breakdowns),
    ...paging
  })
)

export const heatmapUnitsPlan: fc.Arbitrary<HeatmapUnitsPlan> = fc.record({
  heatmap: heatmapPlan,
  area: fc.option(fc.record({ pointA: corner, pointB: corner }), { freq: 4 }),
  ...paging
})
