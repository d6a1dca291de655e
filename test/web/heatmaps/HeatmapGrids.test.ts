import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { unfiltered } from "../../../src/domain/analytics/filter/Filter.ts"
import { areaTest } from "../../../src/domain/analytics/heatmap/HeatmapUnits.ts"
import { twoFingers } from "../../../src/web/heatmaps/Camera3d.ts"
import { barAt, barsOf } from "../../../src/web/heatmaps/Bars3d.ts"
import { blurred } from "../../../src/web/heatmaps/Blur.ts"
import type { Vector } from "../../../src/web/heatmaps/Camera3d.ts"
import { cameraOf, matrixOf, rayAt, seenAt } from "../../../src/web/heatmaps/Camera3d.ts"
import { framesOf } from "../../../src/web/heatmaps/Frames.ts"
import type { Grid, HeatmapAnswer } from "../../../src/web/heatmaps/Grid.ts"
import {
  areaOf,
  between,
  cellsIn,
  differenceOf,
  edgesOf,
  gridOf,
  largest,
  sumIn
} from "../../../src/web/heatmaps/Grid.ts"
import { pixelsOf } from "../../../src/web/heatmaps/Ramp.ts"

const answerOf = (flipped: boolean): HeatmapAnswer => {
  const [near, far] = [
    { x: 0, y: 0, z: 0 },
    { x: 8, y: 4, z: 4 }
  ]
  return {
    points: { x: [1, 7, 7], y: [1, 1, 3], value: [1, 2, 3] },
    bounds: flipped ? { pointA: far, pointB: near } : { pointA: near, pointB: far },
    resolution: { x: 4, y: 2, cellWidth: 2, cellHeight: 2 },
    statistics: {
      totalEvents: 6,
      uniqueUsers: 3,
      insideBounds: 6,
      outsideBounds: 0,
      cells: 3,
      min: 1,
      max: 3,
      mean: 2,
      p50: 2,
      p95: 3
    },
    meta: { asOf: "2026-03-01T00:00:00.000Z", cached: false, elapsedMs: 1, rowsScanned: 6, sampled: false }
  }
}

const grid = fc
  .record({
    columns: fc.integer({ min: 1, max: 9 }),
    rows: fc.integer({ min: 1, max: 9 }),
    from: fc.record({ x: fc.integer({ min: -50, max: 50 }), z: fc.integer({ min: -50, max: 50 }) }),
    size: fc.record({ x: fc.integer({ min: 1, max: 90 }), z: fc.integer({ min: 1, max: 90 }) }),
    flip: fc.record({ x: fc.boolean(), z: fc.boolean() })
  })
  .chain(({ columns, rows, from, size, flip }) =>
    fc
      .array(fc.integer({ min: 0, max: 9 }), { minLength: columns * rows, maxLength: columns * rows })
      .map((values): Grid => ({
        columns,
        rows,
        values: Float64Array.from(values),
        bounds: {
          pointA: { x: flip.x ? from.x + size.x : from.x, y: 0, z: flip.z ? from.z + size.z : from.z },
          pointB: { x: flip.x ? from.x : from.x + size.x, y: 9, z: flip.z ? from.z : from.z + size.z }
        }
      }))
  )

const gridWithCells = grid.chain((each) =>
  fc
    .tuple(fc.nat(each.values.length - 1), fc.nat(each.values.length - 1))
    .map(([a, b]) => [each, between(a, b, each.columns)] as const)
)

describe("grids on an image", () => {
  it("have the first corner of the bounds at the upper left, whichever way the world runs", () => {
    assert.deepStrictEqual([...gridOf(answerOf(false)).values], [1, 0, 0, 2, 0, 0, 0, 3])
    assert.deepStrictEqual([...gridOf(answerOf(true)).values], [3, 0, 0, 0, 2, 0, 0, 1])
    const rows = { ...answerOf(false), points: [{ x: 1, y: 3, value: 5 }] }
    assert.deepStrictEqual([...gridOf(rows).values], [0, 0, 0, 0, 5, 0, 0, 0])
  })

  it("find chosen cells again by their edges, and every centre of them lies in the area that is asked for", () => {
    fc.assert(
      fc.property(gridWithCells, ([each, cells]) => {
        assert.deepStrictEqual(cellsIn(each, edgesOf(each, cells)), cells)
        const { pointA, pointB } = areaOf(each, cells)
        const { bounds, columns, rows } = each
        const resolution = { x: columns, y: rows }
        const range = { from: 0, to: 1 }
        const heatmap = { range, selectors: [], filter: unfiltered, bounds, resolution }
        const isInside = areaTest({ heatmap, area: { pointA, pointB } })
        assert.isTrue(isInside((pointA.x + pointB.x) / 2, 4, (pointA.z + pointB.z) / 2))
        assert.isFalse(isInside(pointA.x, 10, pointA.z))
      })
    )
  })

  it("sum to the whole over all cells, also after a blur away from the edges", () => {
    fc.assert(
      fc.property(grid, (each) => {
        const all = { left: 0, top: 0, right: each.columns - 1, bottom: each.rows - 1 }
        const sum = each.values.reduce((total, value) => total + value, 0)
        assert.strictEqual(sumIn(each, all), sum)
        assert.strictEqual(blurred(each, 0), each)
        const even = { ...each, values: each.values.map(() => 3) }
        for (const value of blurred(even, 2).values) assert.closeTo(value, 3, 1e-9)
      })
    )
    const point = { ...gridOf(answerOf(false)), columns: 9, rows: 9, values: new Float64Array(81) }
    point.values[40] = 7
    assert.closeTo(
      blurred(point, 3).values.reduce((total, value) => total + value, 0),
      7,
      1e-9
    )
  })

  it("differ by their shares, and name the farthest from 0 first", () => {
    const [first, second] = [gridOf(answerOf(false)), gridOf(answerOf(true))]
    const difference = differenceOf(first, second, 2, 4)
    assert.deepStrictEqual([...difference.values], [0.5 - 0.75, 0, 0, 1, -0.5, 0, 0, 1.25])
    assert.deepStrictEqual(largest(difference, 3), [7, 3, 4])
    assert.deepStrictEqual(
      [...differenceOf(first, second, 0, 0).values],
      Array.from({ length: 8 }, () => 0)
    )
  })

  it("are painted nowhere where nothing is, and stronger where more is", () => {
    const pixels = pixelsOf({ isSigned: false, ramp: "fire", top: 9 }, Float64Array.of(0, 1, 4, 9))
    const covers = [3, 7, 11, 15].map((at) => pixels[at] ?? 0)
    assert.strictEqual(covers[0], 0)
    assert.deepStrictEqual(
      covers.toSorted((a, b) => a - b),
      covers
    )
    const signed = pixelsOf({ isSigned: true, ramp: "fire", top: 2 }, Float64Array.of(-2, 2))
    assert.deepStrictEqual([...signed.slice(0, 3)], [31, 111, 178])
    assert.deepStrictEqual([...signed.slice(4, 7)], [180, 97, 10])
  })
})

describe("the picture in three dimensions", () => {
  const view = fc.record({
    turn: fc.double({ min: -7, max: 7, noNaN: true }),
    tilt: fc.double({ min: 0.2, max: 1.5, noNaN: true }),
    distance: fc.double({ min: 0.5, max: 4, noNaN: true })
  })
  const aspect = fc.double({ min: 0.5, max: 3, noNaN: true })
  const side = fc.double({ min: -0.5, max: 0.5, noNaN: true })

  it("shows a place where its matrix puts it, and the ray from there goes through the place", () => {
    fc.assert(
      fc.property(view, aspect, side, side, (looked, wide, x, z) => {
        const camera = cameraOf(looked, wide)
        const place: Vector = [x, 0.1, z]
        const seen = seenAt(camera, place)
        if (seen === null) return
        const m = matrixOf(camera)
        const clip = [0, 1, 2, 3].map((row) => m[row]! * x + m[4 + row]! * 0.1 + m[8 + row]! * z + m[12 + row]!)
        assert.closeTo((1 + clip[0]! / clip[3]!) / 2, seen[0], 1e-3)
        assert.closeTo((1 - clip[1]! / clip[3]!) / 2, seen[1], 1e-3)
        const way = rayAt(camera, ...seen)
        const length = Math.hypot(...place.map((each, axis) => each - camera.eye[axis]!))
        const step = length / Math.hypot(...way)
        for (const axis of [0, 1, 2] as const) assert.closeTo(camera.eye[axis] + step * way[axis], place[axis], 1e-9)
      })
    )
  })

  it("names the bar that is seen at a place, none beside them", () => {
    const values = new Float64Array(64)
    values[27] = 5
    values[36] = 10
    const each: Grid = { columns: 8, rows: 8, values, bounds: answerOf(false).bounds }
    const bars = barsOf(each, { top: 10 })
    assert.deepStrictEqual([bars.width, bars.depth, bars.bars.length], [1, 0.5, 2])
    const [low, high] = bars.bars
    assert.closeTo((high?.height ?? 0) / (low?.height ?? 1), 2, 1e-9)
    const camera = cameraOf({ turn: 0.4, tilt: 0.9, distance: 1.8 }, 1.6)
    for (const bar of bars.bars) {
      const seen = seenAt(camera, [bar.x, bar.height, bar.z])
      assert.strictEqual(barAt(bars, camera, ...(seen ?? [0, 0]))?.index, bar.index)
    }
    assert.isNull(barAt(bars, camera, 0.02, 0.02))
  })
})

it("a period is played by its days or hours up to now, summer time included, and not where these are too many", () => {
  const now = Date.parse("2026-03-29T10:30:00Z")
  const days = framesOf({ kind: "relative", step: "day", value: 3 }, "day", "Europe/Berlin", now)
  assert.deepStrictEqual(
    days?.map(({ from }) => from),
    ["2026-03-25T23:00:00.000Z", "2026-03-26T23:00:00.000Z", "2026-03-27T23:00:00.000Z", "2026-03-28T23:00:00.000Z"]
  )
  // So are the hours before now, which begin with yesterday's.
  const lastHours = framesOf({ kind: "relative", step: "hour", value: 24 }, "hour", "Europe/Berlin", now)
  assert.deepStrictEqual(
    [lastHours?.length, lastHours?.[0]?.from, lastHours?.at(-1)?.to],
    [25, "2026-03-28T10:00:00.000Z", "2026-03-29T11:00:00.000Z"]
  )
  const hours = framesOf({ kind: "dates", from: "2026-03-29", to: "2026-03-29" }, "hour", "Europe/Berlin", now)
  assert.deepStrictEqual([hours?.length, hours?.at(-1)?.from], [12, "2026-03-29T10:00:00.000Z"])
  assert.isNull(framesOf({ kind: "relative", step: "day", value: 4 }, "hour", "UTC", now))
  assert.isNull(framesOf({ kind: "relative", step: "day", value: 93 }, "day", "UTC", now))
})

describe("two fingers on a map in three dimensions", () => {
  const other = [100, 100] as const

  it("bring it nearer by as much as they go apart, without turning it", () => {
    assert.deepStrictEqual(twoFingers([200, 100], [300, 100], other), { distance: 0.5, turn: 0 })
    assert.deepStrictEqual(twoFingers([100, 300], [100, 200], other), { distance: 2, turn: 0 })
    assert.deepStrictEqual(twoFingers([101, 100], [104, 100], other), { distance: 1, turn: 0 })
  })

  it("turn it clockwise as they go clockwise, also past the left", () => {
    const quarter = twoFingers([200, 100], [100, 200], other)
    assert.deepStrictEqual(quarter, { distance: 1, turn: Math.PI / 2 })
    const past = twoFingers([0, 101], [0, 99], other)
    assert.closeTo(past.turn ?? 0, 2 * Math.atan(0.01), 1e-9)
    assert.closeTo(past.distance ?? 0, 1, 1e-9)
  })
})
