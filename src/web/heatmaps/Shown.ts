import { countText, numberText, percentText } from "../text/Numbers.ts"
import type { Asked } from "./AreaCard.tsx"
import { blurred } from "./Blur.ts"
import type { Grid } from "./Grid.ts"
import { differenceOf, edgesOf, topOf } from "./Grid.ts"
import type { HeatmapQuestion } from "./HeatmapQuestion.ts"
import type { Scale } from "./Ramp.ts"

/** What is drawn: values, their colours, and how they are said. */
export interface Shown {
  readonly grid: Grid
  /** The grid as it is coloured, which may be smoother. */
  readonly painted: Grid
  readonly scale: Scale
  /** What the values are. */
  readonly unit: string
  /** The value, the place and what else is known of a cell. */
  readonly describe: (index: number) => ReadonlyArray<string>
}

const placeText = (grid: Grid, index: number): string => {
  const [left, top] = [index % grid.columns, Math.floor(index / grid.columns)]
  const [x, z, toX, toZ] = edgesOf(grid, { left, top, right: left, bottom: top })
  const span = (a: number, b: number): string => `${numberText(Math.min(a, b))} to ${numberText(Math.max(a, b))}`
  return `x ${span(x, toX)}, z ${span(z, toZ)}`
}

/** The grid as the question wants it coloured: bars show each cell by itself. */
export const paintedOf = ({ view, blur }: HeatmapQuestion, grid: Grid): Grid =>
  view === "bars" ? grid : blurred(grid, blur)

/** An answer as it is drawn, coloured as `looks` says; `top` is the value with the strongest colour where it is not the largest one. */
export const shownOf = (looks: HeatmapQuestion, { grid, answer, question }: Asked, top?: number): Shown => {
  const painted = paintedOf(looks, grid)
  const isPlayers = question.counts === "players"
  const whole = isPlayers ? 0 : answer.statistics.insideBounds
  return {
    grid,
    painted,
    scale: { isSigned: false, ramp: looks.ramp, top: top ?? topOf(painted) },
    unit: isPlayers ? "Players in a cell" : `${question.marker} in a cell`,
    describe: (index) => {
      const value = grid.values[index] ?? 0
      return [
        isPlayers ? countText(value, "player") : numberText(value),
        placeText(grid, index),
        ...(whole === 0 ? [] : [`${percentText((100 * value) / whole, 2)} of all`])
      ]
    }
  }
}

const signed = (value: number): string => (value > 0 ? `+${numberText(value)}` : numberText(value))

/** What both sides are divided by: players with such a marker, by the hundred, or what lies on the map, as percent. */
const sizeOf = ({ per }: HeatmapQuestion, { answer: { statistics }, question }: Asked): number =>
  (per === "players" || question.counts === "players" ? statistics.uniqueUsers : statistics.insideBounds) / 100

/** Whether both answers count the same, in the same cells. */
export const areAlike = (first: Asked, second: Asked): boolean =>
  first.question.marker === second.question.marker &&
  first.question.counts === second.question.counts &&
  first.grid.columns === second.grid.columns &&
  first.grid.rows === second.grid.rows

/** The first answer less the second, each divided by its size, coloured and divided as `looks` says. */
export const differenceShown = (looks: HeatmapQuestion, first: Asked, second: Asked): Shown => {
  const { question } = first
  const [size, otherSize] = [sizeOf(looks, first), sizeOf(looks, second)]
  const grid = differenceOf(first.grid, second.grid, size, otherSize)
  const painted = paintedOf(looks, grid)
  const isShare = looks.per === "share" && question.counts === "markers"
  const part = ({ grid: { values } }: Asked, index: number, by: number): string =>
    numberText(by === 0 ? 0 : (values[index] ?? 0) / by)
  return {
    grid,
    painted,
    scale: { isSigned: true, ramp: looks.ramp, top: topOf(painted) },
    unit: isShare
      ? "Difference in percent of all on the map"
      : question.counts === "players"
        ? "Difference in players of 100"
        : `Difference in ${question.marker} per 100 players`,
    describe: (index) => [
      `${signed(grid.values[index] ?? 0)}${isShare ? " points" : ""}`,
      placeText(grid, index),
      `${part(first, index, size)} ${first.name}`,
      `${part(second, index, otherSize)} ${second.name}`
    ]
  }
}
