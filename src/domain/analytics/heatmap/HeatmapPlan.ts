import type { TimeSpan } from "../time/Buckets.ts"
import type { Filter } from "../filter/Filter.ts"
import type { Selector } from "../filter/Selector.ts"

export interface Point {
  readonly x: number
  readonly y: number
  readonly z: number
}

/** Two opposite corners of a box, inclusive, in any order. */
export interface Bounds {
  readonly pointA: Point
  readonly pointB: Point
}

/** The number of cells along world X (columns) and along world Z (rows); Y is the height. */
export interface GridResolution {
  readonly x: number
  readonly y: number
}

/** Heights in world Y, both ends inclusive. */
export interface Heights {
  readonly low: number
  readonly high: number
}

/**
 * Counts markers by cell. Markers without a position are ignored. Positions and bounds are compared in single
 * precision.
 */
export interface HeatmapPlan {
  readonly range: TimeSpan
  /** The counts of all selectors are added; a marker selected twice counts twice, its unit once. */
  readonly selectors: ReadonlyArray<Selector>
  readonly filter: Filter
  readonly bounds: Bounds
  readonly resolution: GridResolution
  /** Markers at other heights are ignored, as if they had no position. */
  readonly heights?: Heights
}

/** `column` counts from the smallest world X, `row` from the smallest world Z. */
export interface HeatmapCell {
  readonly column: number
  readonly row: number
  readonly count: number
  readonly units: number
}

/** The cells that contain a marker, by row, then column. The totals include markers outside the bounds. */
export interface HeatmapAnswer {
  readonly cells: ReadonlyArray<HeatmapCell>
  readonly totalEvents: number
  readonly uniqueUsers: number
  readonly insideBounds: number
}
