import { other, whole } from "../../../../../src/domain/analytics/filter/Breakdown.ts"
import type { HeatmapUnitsPlan } from "../../../../../src/domain/analytics/heatmap/HeatmapUnits.ts"
import type { InsightUnitsPlan } from "../../../../../src/domain/analytics/insight/InsightUnits.ts"
import type { RetentionUnitsPlan } from "../../../../../src/domain/analytics/retention/RetentionUnits.ts"
import { insights } from "./Insights.ts"
import { retentions } from "./Journeys.ts"
import { heatmaps } from "./Scorecards.ts"

const page = { after: null, limit: 6 }

const insightUnits = (insight: InsightUnitsPlan["insight"], changes: Partial<InsightUnitsPlan>): InsightUnitsPlan => ({
  insight,
  metric: 0,
  bucket: null,
  group: insight.breakdowns.length === 0 ? whole : other,
  values: true,
  ...page,
  ...changes
})

/** The aggregate of the first and a bucket of the last metric of every insight, in the merged group where there are several. */
export const insightUnitsPlans: Readonly<Record<string, InsightUnitsPlan>> = Object.fromEntries(
  Object.entries(insights).flatMap(([name, plan]) => [
    [name, insightUnits(plan, {})] as const,
    [`${name}, a bucket`, insightUnits(plan, { metric: plan.metrics.length - 1, bucket: 2 })] as const
  ])
)

const retentionUnits = (
  retention: RetentionUnitsPlan["retention"],
  changes: Partial<RetentionUnitsPlan>
): RetentionUnitsPlan => ({
  retention,
  row: 1,
  column: 0,
  outcome: "returned",
  group: retention.breakdowns.length === 0 ? whole : other,
  ...page,
  ...changes
})

export const retentionUnitsPlans: Readonly<Record<string, RetentionUnitsPlan>> = Object.fromEntries(
  Object.entries(retentions).flatMap(([name, plan]) => [
    [name, retentionUnits(plan, {})] as const,
    [`${name}, left`, retentionUnits(plan, { column: 1, outcome: "left" })] as const
  ])
)

const point = { x: 1, y: 0, z: 1 }

export const heatmapUnitsPlans: Readonly<Record<string, HeatmapUnitsPlan>> = Object.fromEntries(
  Object.entries(heatmaps).flatMap(([name, heatmap]) => [
    [name, { heatmap, area: null, ...page }] as const,
    [`${name}, a part`, { heatmap, area: { pointA: point, pointB: { x: 4, y: 3, z: 4 } }, ...page }] as const
  ])
)
