import { boxOf } from "./Heatmap.ts"
import type { HeatmapAnswer, HeatmapPlan } from "./HeatmapPlan.ts"
import { percentileOf } from "../insight/Percentile.ts"
import { exactSum } from "../insight/Sum.ts"

export type HeatmapDisplay = "density" | "count" | "unique"

/** `x` and `y` are the centre of a cell, in world X and world Z. */
export interface HeatmapPoint {
  readonly x: number
  readonly y: number
  readonly value: number
}

/** Statistics over the values of all points; null where there are none. */
export interface HeatmapStatistics {
  readonly totalEvents: number
  readonly uniqueUsers: number
  readonly insideBounds: number
  readonly outsideBounds: number
  /** The number of points. */
  readonly cells: number
  readonly min: number | null
  readonly max: number | null
  readonly mean: number | null
  readonly p50: number | null
  readonly p95: number | null
}

export interface HeatmapPoints {
  readonly points: ReadonlyArray<HeatmapPoint>
  /** World units. */
  readonly cellWidth: number
  readonly cellHeight: number
  readonly statistics: HeatmapStatistics
}

/** Points as lists of equal length, one of each coordinate and one of the values. */
export interface HeatmapColumns {
  readonly x: ReadonlyArray<number>
  readonly y: ReadonlyArray<number>
  readonly value: ReadonlyArray<number>
}

/** The points as columns, in the same order. */
export const pointColumns = (points: ReadonlyArray<HeatmapPoint>): HeatmapColumns => ({
  x: points.map(({ x }) => x),
  y: points.map(({ y }) => y),
  value: points.map(({ value }) => value)
})

/**
 * The points and statistics of an answer. Density is the share of markers inside the bounds per square world unit; a
 * side of no length counts as one unit.
 */
export const heatmapPoints = (plan: HeatmapPlan, answer: HeatmapAnswer, display: HeatmapDisplay): HeatmapPoints => {
  const { least, most } = boxOf(plan.bounds)
  const cellWidth = (most.x - least.x) / plan.resolution.x
  const cellHeight = (most.z - least.z) / plan.resolution.y
  const area = (cellWidth || 1) * (cellHeight || 1)
  const points = answer.cells.map(({ column, row, count, units }) => ({
    x: least.x + (column + 0.5) * cellWidth,
    y: least.z + (row + 0.5) * cellHeight,
    value: display === "count" ? count : display === "unique" ? units : count / answer.insideBounds / area
  }))
  const values = points.map(({ value }) => value)
  const { totalEvents, uniqueUsers, insideBounds } = answer
  return {
    points,
    cellWidth,
    cellHeight,
    statistics: {
      totalEvents,
      uniqueUsers,
      insideBounds,
      outsideBounds: totalEvents - insideBounds,
      cells: points.length,
      min: percentileOf(values, 0),
      max: percentileOf(values, 100),
      mean: values.length === 0 ? null : exactSum(values) / values.length,
      p50: percentileOf(values, 50),
      p95: percentileOf(values, 95)
    }
  }
}
