import { FastCheck as fc } from "effect"
import { filters, isSelected, passes, selection } from "./Filters.ts"
import { percentileByHand } from "./MeasuresByHand.ts"
import { periodsOf, times } from "./LocalTime.ts"
import { type Sent, sent } from "./Sent.ts"

const corner = fc.record({
  x: fc.integer({ min: -3, max: 13 }),
  y: fc.integer({ min: -3, max: 13 }),
  z: fc.integer({ min: -3, max: 13 })
})

/** Corners that often hold everything, and grids of 2 to 100 cells along the longer side. */
export const asked = times.chain((time) =>
  fc.record({
    time: fc.constant(time),
    all: sent(time.origin, time.tick),
    metrics: fc.array(fc.record({ visible: fc.constantFrom(true, true, false), selection }), {
      minLength: 1,
      maxLength: 3
    }),
    filters,
    bounds: fc.oneof(
      fc.record({ pointA: corner, pointB: corner }),
      fc
        .tuple(fc.integer({ min: 1, max: 14 }), fc.integer({ min: 1, max: 14 }))
        .map(([width, depth]) => ({ pointA: { x: width - 2, y: 13, z: -2 }, pointB: { x: -2, y: -3, z: depth - 2 } }))
    ),
    cells: fc.integer({ min: 2, max: 100 }),
    heights: fc.option(
      fc
        .tuple(fc.integer({ min: -3, max: 13 }), fc.integer({ min: 0, max: 8 }))
        .map(([low, tall]) => [low, low + tall] as const)
    ),
    display: fc.constantFrom("density" as const, "count" as const, "unique" as const)
  })
)

export type Asked = typeof asked extends fc.Arbitrary<infer A> ? A : never

/** The lower and the upper end of an axis. */
export const side = ({ bounds: { pointA, pointB } }: Asked, axis: "x" | "y" | "z"): readonly [number, number] => [
  Math.min(pointA[axis], pointB[axis]),
  Math.max(pointA[axis], pointB[axis])
]

/** Cells along an axis: all of them along the longer one, and along the other as many as are nearly square. */
export const cellsAlong = (question: Asked, axis: "x" | "z"): number => {
  const lengthOf = ([low, high]: readonly [number, number]) => high - low
  const longer = Math.max(lengthOf(side(question, "x")), lengthOf(side(question, "z")))
  if (longer === 0) return 1
  return Math.max(1, Math.round((question.cells * lengthOf(side(question, axis))) / longer))
}

/**
 * Whether a coordinate lies in a cell; the upper end belongs to the last one. Whole numbers are compared: coordinates are quarters.
 */
const isIn = (at: number, cell: number, cells: number, [low, high]: readonly [number, number]): boolean => {
  if (at < low || at > high) return false
  if (cell === cells - 1 && at === high) return true
  const place = (at - low) * 4 * cells
  return place >= cell * 4 * (high - low) && place < (cell + 1) * 4 * (high - low)
}

const unitsOf = (own: ReadonlyArray<Sent>): number =>
  new Set(own.map(({ unit }) => unit).filter((unit) => unit !== null)).size

/** What the reference says of points and statistics, with a look at every marker for every cell: nothing here is the product's. */
export const heatmapByHand = (question: Asked) => {
  const { all, metrics, filters, display, time, heights } = question
  const from = periodsOf(time.zone, time.step, time.weekStart, time.from, time.to)[0]!.start
  const isWithin = (at: number, [low, high]: readonly [number, number]) => low <= at && at <= high
  const placed = all.filter(
    (one) =>
      one.place !== null &&
      (heights === null || isWithin(one.place[1], heights)) &&
      one.at >= from &&
      one.at < time.to &&
      passes(one, filters)
  )
  const counted = metrics
    .filter(({ visible }) => visible)
    .flatMap(({ selection }) => placed.filter((one) => isSelected(one, selection)))
  const [acrossX, acrossY, acrossZ] = [side(question, "x"), side(question, "y"), side(question, "z")]
  const [columns, rows] = [cellsAlong(question, "x"), cellsAlong(question, "z")]
  const [width, depth] = [(acrossX[1] - acrossX[0]) / columns, (acrossZ[1] - acrossZ[0]) / rows]
  const inside = counted.filter(
    ({ place }) => isWithin(place![0], acrossX) && isWithin(place![1], acrossY) && isWithin(place![2], acrossZ)
  )
  const points: Array<{ x: number; y: number; value: number }> = []
  for (let row = 0; row < rows; row++) {
    const across = inside.filter(({ place }) => isIn(place![2], row, rows, acrossZ))
    for (let column = 0; column < columns && across.length > 0; column++) {
      const own = across.filter(({ place }) => isIn(place![0], column, columns, acrossX))
      if (own.length === 0) continue
      const density = own.length / inside.length / ((width || 1) * (depth || 1))
      points.push({
        x: acrossX[0] + (column + 0.5) * width,
        y: acrossZ[0] + (row + 0.5) * depth,
        value: display === "count" ? own.length : display === "unique" ? unitsOf(own) : density
      })
    }
  }
  const values = points.map(({ value }) => value)
  let sum = 0
  for (const value of values) sum += value
  return {
    points,
    cellWidth: width,
    cellHeight: depth,
    statistics: {
      totalEvents: counted.length,
      uniqueUsers: unitsOf(counted),
      insideBounds: inside.length,
      outsideBounds: counted.length - inside.length,
      cells: points.length,
      min: percentileByHand(values, 0),
      max: percentileByHand(values, 100),
      mean: values.length === 0 ? null : sum / values.length,
      p50: percentileByHand(values, 50),
      p95: percentileByHand(values, 95)
    }
  }
}
