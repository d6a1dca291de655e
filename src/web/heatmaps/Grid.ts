import type { Answer } from "../api/Wire.ts"
import type { BodyOf } from "../api/Endpoints.ts"

export type HeatmapAnswer = Answer<"queries.heatmaps">
export type Bounds = HeatmapAnswer["bounds"]
export type Area = NonNullable<BodyOf<"queries.heatmapUsers">["select"]["area"]>

/** Values of cells as they lie on the image of the map, whose upper left corner is `pointA` of the bounds and lower right `pointB`. */
export interface Grid {
  readonly columns: number
  readonly rows: number
  /** Row by row from the top, each from the left; 0 where nothing is. */
  readonly values: Float64Array
  readonly bounds: Bounds
}

/** Cells of a grid, all four sides within. */
export interface Cells {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** A part of the world: X and Z of what is upper left on the image, and of what is lower right. */
export type Edges = readonly [x: number, z: number, toX: number, toZ: number]

interface Columns {
  readonly x: ReadonlyArray<number>
  readonly y: ReadonlyArray<number>
  readonly value: ReadonlyArray<number>
}

const columnsOf = (points: HeatmapAnswer["points"]): Columns =>
  "value" in points
    ? points
    : { x: points.map(({ x }) => x), y: points.map(({ y }) => y), value: points.map(({ value }) => value) }

/** The cell of a centre, counted from the smaller end, or from the larger one where the image shows that first. */
const place = (at: number, from: number, to: number, width: number, cells: number): number => {
  const slot = width === 0 ? 0 : Math.round((at - Math.min(from, to)) / width - 0.5)
  const within = Math.min(cells - 1, Math.max(0, slot))
  return from > to ? cells - 1 - within : within
}

/** The answer as a grid on the image. */
export const gridOf = ({ points, bounds, resolution }: HeatmapAnswer): Grid => {
  const { x: columns, y: rows, cellWidth, cellHeight } = resolution
  const values = new Float64Array(columns * rows)
  const { pointA, pointB } = bounds
  const { x, y, value } = columnsOf(points)
  for (let at = 0; at < value.length; at++) {
    const column = place(x[at] ?? 0, pointA.x, pointB.x, cellWidth, columns)
    const row = place(y[at] ?? 0, pointA.z, pointB.z, cellHeight, rows)
    values[row * columns + column] = value[at] ?? 0
  }
  return { columns, rows, values, bounds }
}

/** The first grid less the second, each divided by its size; cells must be the same. */
export const differenceOf = (first: Grid, second: Grid, firstSize: number, secondSize: number): Grid => ({
  ...first,
  values: first.values.map(
    (value, at) =>
      (firstSize === 0 ? 0 : value / firstSize) - (secondSize === 0 ? 0 : (second.values[at] ?? 0) / secondSize)
  )
})

/** The largest distance of a value from 0. */
export const topOf = ({ values }: Grid): number => values.reduce((top, value) => Math.max(top, Math.abs(value)), 0)

/** World X and Z at a place of the image, given as shares of its width and height. */
export const worldAt = ({ pointA, pointB }: Bounds, across: number, down: number) => ({
  x: pointA.x + across * (pointB.x - pointA.x),
  z: pointA.z + down * (pointB.z - pointA.z)
})

const short = (value: number): number => Number(value.toPrecision(9))

/** The edges of cells in the world. */
export const edgesOf = ({ columns, rows, bounds }: Grid, { left, top, right, bottom }: Cells): Edges => {
  const from = worldAt(bounds, left / columns, top / rows)
  const to = worldAt(bounds, (right + 1) / columns, (bottom + 1) / rows)
  return [short(from.x), short(from.z), short(to.x), short(to.z)]
}

const shareOf = (value: number, from: number, to: number): number => (to === from ? 0 : (value - from) / (to - from))

const rangeOf = (low: number, high: number, cells: number): readonly [number, number] => {
  const first = Math.min(cells - 1, Math.max(0, Math.round(low * cells)))
  return [first, Math.min(cells - 1, Math.max(first, Math.round(high * cells) - 1))]
}

/** The cells of a grid that a part of the world covers; null where it lies beside the map. */
export const cellsIn = ({ columns, rows, bounds }: Grid, [x, z, toX, toZ]: Edges): Cells | null => {
  const { pointA, pointB } = bounds
  const across = [shareOf(x, pointA.x, pointB.x), shareOf(toX, pointA.x, pointB.x)].toSorted((a, b) => a - b)
  const down = [shareOf(z, pointA.z, pointB.z), shareOf(toZ, pointA.z, pointB.z)].toSorted((a, b) => a - b)
  const [west = 0, east = 0] = across
  const [north = 0, south = 0] = down
  if (east < 0 || west > 1 || south < 0 || north > 1) return null
  const [left, right] = rangeOf(west, east, columns)
  const [top, bottom] = rangeOf(north, south, rows)
  return { left, top, right, bottom }
}

/** The area as the API takes it: the centres of the outermost cells, which it widens to whole cells. */
export const areaOf = ({ columns, rows, bounds }: Grid, { left, top, right, bottom }: Cells): Area => {
  const from = worldAt(bounds, (left + 0.5) / columns, (top + 0.5) / rows)
  const to = worldAt(bounds, (right + 0.5) / columns, (bottom + 0.5) / rows)
  return { pointA: { ...from, y: bounds.pointA.y }, pointB: { ...to, y: bounds.pointB.y } }
}

/** The sum of the values in cells. */
export const sumIn = ({ columns, values }: Grid, { left, top, right, bottom }: Cells): number => {
  let sum = 0
  for (let row = top; row <= bottom; row++)
    for (let column = left; column <= right; column++) sum += values[row * columns + column] ?? 0
  return sum
}

/** Cells between two of them, whichever comes first. */
export const between = (a: number, b: number, columns: number): Cells => {
  const [ax, bx] = [a % columns, b % columns]
  const [ay, by] = [Math.floor(a / columns), Math.floor(b / columns)]
  return { left: Math.min(ax, bx), right: Math.max(ax, bx), top: Math.min(ay, by), bottom: Math.max(ay, by) }
}

/** Indices of the cells that are farthest from 0, the farthest first. */
export const largest = ({ values }: Grid, count: number): ReadonlyArray<number> =>
  [...values.keys()]
    .filter((index) => values[index] !== 0)
    .sort((a, b) => Math.abs(values[b] ?? 0) - Math.abs(values[a] ?? 0) || a - b)
    .slice(0, count)

/** Width of the world on the map divided by its depth. */
export const aspectOf = ({ bounds: { pointA, pointB } }: Grid): number =>
  Math.abs((pointB.x - pointA.x) / (pointB.z - pointA.z))
