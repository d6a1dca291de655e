import { Either } from "effect"
import type { FiltersRequest, SelectorRequest } from "../filter/FilterRequest.ts"
import { planFilter, planSelector } from "../filter/FilterRequest.ts"
import type { HeatmapDefinition } from "./HeatmapDefinition.ts"
import { gridOf } from "./HeatmapGrid.ts"
import type { HeatmapAnswer, HeatmapPlan } from "./HeatmapPlan.ts"
import { type MeasureName, maximumMetrics } from "../insight/InsightQuery.ts"
import { type Checked, problem } from "../question/QueryProblem.ts"
import { type Asking, type TimeQuery, maximumPoints, planTime } from "../time/TimeQuery.ts"

interface MetricRequest {
  readonly visible: boolean
  readonly data: SelectorRequest & { readonly type: string }
}

export interface HeatmapQuery extends FiltersRequest {
  readonly time: TimeQuery
  readonly metrics: ReadonlyArray<MetricRequest>
}

/** Measures of insights that count something else than markers. */
const uncounted: Readonly<Record<Exclude<MeasureName, "totalEvents">, true>> = {
  uniqueUsers: true,
  dau: true,
  wau: true,
  mau: true,
  totalSessions: true,
  frequencyPerUser: true,
  frequencyPerSession: true,
  sum: true,
  average: true,
  median: true,
  min: true,
  max: true,
  percentile: true,
  sumPerUser: true,
  averagePerUser: true,
  firstTimeUsers: true,
  formula: true
}

/** A heatmap counts markers, however its editor calls that. */
const planMetric = ({ visible, data }: MetricRequest, index: number) => {
  const path = `metrics.${index}.data.`
  return Object.hasOwn(uncounted, data.type)
    ? problem("invalid", `${path}type: a heatmap counts totalEvents; options.display unique shows units`)
    : Either.map(planSelector(data, path), (selector) => (visible ? [selector] : []))
}

/** What is asked of a heatmap wherever it lies, or why it cannot be. Every metric must be sound, invisible ones are left out. */
export const planHeatmapMarkers = (
  query: HeatmapQuery,
  asking: Asking
): Checked<Omit<HeatmapPlan, "bounds" | "resolution">> =>
  Either.gen(function* () {
    if (query.metrics.length > maximumMetrics) {
      return yield* problem("limit", `metrics: at most ${maximumMetrics}`)
    }
    const selectors = yield* Either.all(query.metrics.map(planMetric))
    const { range } = yield* planTime(query.time, asking)
    return { range, selectors: selectors.flat(), filter: yield* planFilter(query, "") }
  })

/** What the store is asked for a heatmap within the bounds of its definition, or why it cannot be. */
export const planHeatmap = (
  query: HeatmapQuery,
  { bounds, resolutionFactor }: Pick<HeatmapDefinition, "bounds" | "resolutionFactor">,
  asking: Asking
): Checked<HeatmapPlan> =>
  Either.map(planHeatmapMarkers(query, asking), (markers) => ({
    ...markers,
    bounds,
    resolution: gridOf(bounds, resolutionFactor)
  }))

/** Refuses an answer with too many cells. */
export const checkHeatmapSize = ({ cells }: HeatmapAnswer): Checked<void> =>
  cells.length > maximumPoints
    ? problem("limit", `heatmapData.id: more than ${maximumPoints} points: lower the resolutionFactor of the heatmap`)
    : Either.void
