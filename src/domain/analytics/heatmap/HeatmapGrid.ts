import { boxOf } from "./Heatmap.ts"
import type { Bounds, GridResolution } from "./HeatmapPlan.ts"

/** Cells along the longer side when the factor is 1. */
const defaultCells = 64
/** Most cells along a side. */
const maxCells = 512

const whole = (cells: number): number => Math.min(maxCells, Math.max(1, Math.round(cells)))

/**
 * A grid of so many cells along the longer of world X and world Z, and along the other side as many as make the cells most nearly
 * square; 1 to 512 a side. A side of no length has one cell.
 */
export const gridOfCells = (bounds: Bounds, cells: number): GridResolution => {
  const { least, most } = boxOf(bounds)
  const [width, depth] = [most.x - least.x, most.z - least.z]
  const longer = Math.max(width, depth)
  const along = (side: number): number => (longer === 0 ? 1 : whole((cells * side) / longer))
  return { x: along(width), y: along(depth) }
}

/** The grid of a definition: round(64 * factor) cells along the longer side. */
export const gridOf = (bounds: Bounds, factor: number): GridResolution =>
  gridOfCells(bounds, whole(defaultCells * factor))
