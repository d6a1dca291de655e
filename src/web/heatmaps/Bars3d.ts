import type { Camera, Vector } from "./Camera3d.ts"
import { rayAt } from "./Camera3d.ts"
import type { Grid } from "./Grid.ts"
import type { Scale } from "./Ramp.ts"
import { colourOf } from "./Ramp.ts"

/** Height of the largest value, in lengths of the map's longer side. */
const tallest = 0.34
const lowest = 0.004
/** Share of a cell that its bar fills. */
const filled = 0.9

/** A box that stands on the map, by its middle and its sides; the longer side of the map is 1. */
export interface Bar {
  /** The cell of the grid. */
  readonly index: number
  readonly x: number
  readonly z: number
  readonly height: number
}

export interface Bars {
  /** Sides of the map. */
  readonly width: number
  readonly depth: number
  /** Sides of every bar. */
  readonly barWidth: number
  readonly barDepth: number
  readonly bars: ReadonlyArray<Bar>
}

/** A bar for every cell with a value; its height is the value itself, not its root, so that it can be compared by eye. */
export const barsOf = (grid: Grid, { top }: Pick<Scale, "top">): Bars => {
  const { columns, rows, values, bounds } = grid
  const [wide, deep] = [Math.abs(bounds.pointB.x - bounds.pointA.x), Math.abs(bounds.pointB.z - bounds.pointA.z)]
  const longer = Math.max(wide, deep) || 1
  const [width, depth] = [wide / longer || 1 / rows, deep / longer || 1 / columns]
  const bars: Array<Bar> = []
  for (const [index, value] of values.entries()) {
    if (value === 0) continue
    bars.push({
      index,
      x: (((index % columns) + 0.5) / columns - 0.5) * width,
      z: ((Math.floor(index / columns) + 0.5) / rows - 0.5) * depth,
      height: Math.max(lowest, top === 0 ? 0 : (tallest * Math.abs(value)) / top)
    })
  }
  return { width, depth, barWidth: (filled * width) / columns, barDepth: (filled * depth) / rows, bars }
}

/** Numbers of an instance: middle and sides, then height and colour. */
export const instanceLength = 8

/** What the picture is drawn of, one box after another. The first, of height −1, is the map itself. */
export const instancesOf = (
  { width, depth, barWidth, barDepth, bars }: Bars,
  grid: Grid,
  scale: Scale
): Float32Array => {
  const instances = new Float32Array(instanceLength * (bars.length + 1))
  instances.set([0, 0, width, depth, -1, 0, 0, 0])
  for (const [at, { index, x, z, height }] of bars.entries()) {
    const [red, green, blue] = colourOf(scale, grid.values[index] ?? 0)
    const look = [height, red / 255, green / 255, blue / 255]
    instances.set([x, z, barWidth, barDepth, ...look], instanceLength * (at + 1))
  }
  return instances
}

/** The way along a ray to where it enters a span, and to where it leaves it. */
const span = (eye: number, way: number, low: number, high: number): readonly [number, number] => {
  if (way === 0) return eye >= low && eye <= high ? [-Infinity, Infinity] : [Infinity, -Infinity]
  const [a, b] = [(low - eye) / way, (high - eye) / way]
  return a < b ? [a, b] : [b, a]
}

/** The nearest bar at a place of the picture, given as shares of its width and height; null where none is. */
export const barAt = ({ bars, barWidth, barDepth }: Bars, camera: Camera, across: number, down: number): Bar | null => {
  const way: Vector = rayAt(camera, across, down)
  const { eye } = camera
  let found: Bar | null = null
  let nearest = Infinity
  for (const bar of bars) {
    const x = span(eye[0], way[0], bar.x - barWidth / 2, bar.x + barWidth / 2)
    const y = span(eye[1], way[1], 0, bar.height)
    const z = span(eye[2], way[2], bar.z - barDepth / 2, bar.z + barDepth / 2)
    const from = Math.max(x[0], y[0], z[0])
    if (from > Math.min(x[1], y[1], z[1]) || from < 0 || from >= nearest) continue
    nearest = from
    found = bar
  }
  return found
}
