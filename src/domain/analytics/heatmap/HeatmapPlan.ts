import type { Range } from "../time/Buckets.ts"
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

/** Number of cells along world X and along world Z (Y is height). */
export interface Resolution {
  readonly x: number
  readonly y: number
}

/** Markers without a position do not exist for a heatmap. Positions and bounds are compared in single precision. */
export interface HeatmapPlan {
  readonly range: Range
  /** Their markers add up; a marker selected twice counts twice, its unit once. */
  readonly selectors: ReadonlyArray<Selector>
  readonly filter: Filter
  readonly bounds: Bounds
  readonly resolution: Resolution
}

/** column counts from the least world X, row from the least world Z. */
export interface HeatmapCell {
  readonly column: number
  readonly row: number
  readonly count: number
  readonly units: number
}

/** Cells that hold a marker, by row, then column. Totals are of markers inside and outside the bounds together. */
export interface HeatmapAnswer {
  readonly cells: ReadonlyArray<HeatmapCell>
  readonly totalEvents: number
  readonly uniqueUsers: number
  readonly insideBounds: number
}
