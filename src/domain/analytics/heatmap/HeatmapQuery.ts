import { Either } from "effect"
import type { FiltersRequest, SelectorRequest } from "../filter/FilterRequest.ts"
import { planFilter, planSelector } from "../filter/FilterRequest.ts"
import type { HeatmapDefinition } from "./HeatmapDefinition.ts"
import { gridOf, gridOfCells } from "./HeatmapGrid.ts"
import type { HeatmapAnswer, HeatmapPlan } from "./HeatmapPlan.ts"
import { type MeasureName, maximumMetrics } from "../insight/InsightQuery.ts"
import { type Checked, eachOf, problem, together } from "../question/QueryProblem.ts"
import { type Asking, type TimeQuery, maximumPoints, planTime } from "../time/TimeQuery.ts"

interface MetricRequest {
  readonly visible: boolean
  readonly data: SelectorRequest & { readonly type: string }
}

export interface HeatmapQuery extends FiltersRequest {
  readonly time: TimeQuery
  readonly metrics: ReadonlyArray<MetricRequest>
  /** `y` is the lowest and the highest height. */
  readonly heatmapData?: { readonly y?: readonly [low: number, high: number] }
  readonly options?: { readonly cells?: number }
}

/** Measures of insights that a heatmap cannot show, because they count something other than markers. */
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

/** A heatmap always counts markers; the editor may send any name for that measure. */
const planMetric = ({ visible, data }: MetricRequest, index: number) => {
  const path = `metrics.${index}.data.`
  return Object.hasOwn(uncounted, data.type)
    ? problem("invalid", `${path}type: a heatmap counts totalEvents; options.display unique shows units`)
    : Either.map(planSelector(data, path), (selector) => (visible ? [selector] : []))
}

/**
 * Plans a heatmap query apart from its bounds, or tells why it cannot be asked. Invisible metrics must be sound too,
 * but are left out.
 */
export const planHeatmapMarkers = (
  query: HeatmapQuery,
  asking: Asking
): Checked<Omit<HeatmapPlan, "bounds" | "resolution">> =>
  Either.map(
    together({
      metrics:
        query.metrics.length > maximumMetrics
          ? problem("limit", `metrics: expected at most ${maximumMetrics}`)
          : eachOf(query.metrics.map(planMetric)),
      time: planTime(query.time, asking),
      filter: planFilter(query, "")
    }),
    ({ metrics, time, filter }) => ({ range: time.range, selectors: metrics.flat(), filter })
  )

/** Plans a heatmap query within the bounds of its definition, or tells why it cannot be asked. */
export const planHeatmap = (
  query: HeatmapQuery,
  { bounds, resolutionFactor }: Pick<HeatmapDefinition, "bounds" | "resolutionFactor">,
  asking: Asking
): Checked<HeatmapPlan> =>
  Either.map(planHeatmapMarkers(query, asking), (markers) => {
    const heights = query.heatmapData?.y
    const cells = query.options?.cells
    return {
      ...markers,
      bounds,
      resolution: cells === undefined ? gridOf(bounds, resolutionFactor) : gridOfCells(bounds, cells),
      ...(heights === undefined ? {} : { heights: { low: heights[0], high: heights[1] } })
    }
  })

/** Refuses an answer of more than `maximumPoints` cells. */
export const checkHeatmapSize = ({ cells }: HeatmapAnswer): Checked<void> =>
  cells.length > maximumPoints
    ? problem(
        "limit",
        `heatmapData.id: more than ${maximumPoints} points: ask for fewer options.cells, or lower the resolutionFactor of the heatmap`
      )
    : Either.void
