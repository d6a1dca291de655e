import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck as fc } from "effect"
import { heatmap } from "../../../../src/domain/analytics/heatmap/Heatmap.ts"
import { gridOf } from "../../../../src/domain/analytics/heatmap/HeatmapGrid.ts"
import type { HeatmapPlan } from "../../../../src/domain/analytics/heatmap/HeatmapPlan.ts"
import { heatmapPoints } from "../../../../src/domain/analytics/heatmap/HeatmapPoints.ts"
import { checkHeatmapSize, planHeatmap } from "../../../../src/domain/analytics/heatmap/HeatmapQuery.ts"
import type { HeatmapQuery } from "../../../../src/domain/analytics/heatmap/HeatmapQuery.ts"
import { marker } from "../../../support/analytics/Markers.ts"
import { runCount } from "../../../support/Runs.ts"

const box = (width: number, depth: number, x = 0, z = 0) => ({
  pointA: { x, y: 0, z },
  pointB: { x: x + width, y: 10, z: z + depth }
})
const cells = (width: number, depth: number, factor: number) => {
  const { x, y } = gridOf(box(width, depth), factor)
  return [x, y]
}

describe("the grid of a heatmap", () => {
  it("has 64 cells along the longer side at factor 1, and square ones", () => {
    assert.deepStrictEqual(cells(100, 100, 1), [64, 64])
    assert.deepStrictEqual(cells(100, 50, 1), [64, 32])
    assert.deepStrictEqual(cells(25, 100, 1), [16, 64])
    assert.deepStrictEqual(cells(100, 50, 0.5), [32, 16])
    assert.deepStrictEqual(cells(100, 50, 2), [128, 64])
  })

  it("has at least 1 and at most 512 cells a side", () => {
    assert.deepStrictEqual(cells(100, 100, 1e-9), [1, 1])
    assert.deepStrictEqual(cells(100, 1, 0.1), [6, 1])
    assert.deepStrictEqual(cells(100, 50, 1000), [512, 256])
  })

  it("has one cell along a side without length", () => {
    assert.deepStrictEqual(cells(0, 100, 1), [1, 64])
    assert.deepStrictEqual(cells(100, 0, 1), [64, 1])
    assert.deepStrictEqual(cells(0, 0, 1), [1, 1])
  })

  const length = fc.double({ min: 0.001, max: 1e6, noNaN: true })
  const factor = fc.double({ min: 0.001, max: 1000, noNaN: true })

  it.prop(
    "has cells as nearly square as whole ones can be, whatever corner is named first",
    [length, length, factor],
    ([width, depth, each]) => {
      const bounds = box(width, depth)
      const { x, y } = gridOf(bounds, each)
      assert.deepStrictEqual(gridOf({ pointA: bounds.pointB, pointB: bounds.pointA }, each), { x, y })
      assert.strictEqual(Math.max(x, y), Math.min(512, Math.max(1, Math.round(64 * each))))
      const [side, shorter, count] = width >= depth ? [width / x, depth, y] : [depth / y, width, x]
      if (shorter >= side) assert.closeTo(shorter / side, count, 0.5 + 1e-4 * count)
      else assert.strictEqual(count, 1)
    },
    { fastCheck: { numRuns: runCount(1000) } }
  )

  const coordinate = fc.integer({ min: -3, max: 3 })
  const position = fc.tuple(coordinate, fc.constantFrom(-1, 0, 5, 10, 11), coordinate)
  const corner = fc.tuple(coordinate, coordinate, fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 }))

  it.prop(
    "holds every marker inside the bounds in one cell: points sum to what is inside",
    [fc.array(position, { maxLength: 20 }), corner, fc.constantFrom(0.01, 0.02, 0.05, 0.1, 1)],
    ([positions, [x, z, width, depth], each]) => {
      const bounds = box(width, depth, x, z)
      const plan: HeatmapPlan = {
        range: { from: 0, to: 100 },
        selectors: [{ types: ["die"], filter: { match: "all", conditions: [] } }],
        filter: { match: "all", conditions: [] },
        bounds,
        resolution: gridOf(bounds, each)
      }
      const events = positions.map((at, index) => marker(index + 1, "u", "die", index, { position: at }))
      const { points, statistics, cellWidth, cellHeight } = heatmapPoints(plan, heatmap(events, plan), "count")
      const inside = positions.filter(
        ([px, py, pz]) => px >= x && px <= x + width && py >= 0 && py <= 10 && pz >= z && pz <= z + depth
      )
      assert.strictEqual(
        points.reduce((sum, { value }) => sum + value, 0),
        inside.length
      )
      assert.deepStrictEqual(
        [statistics.insideBounds, statistics.outsideBounds],
        [inside.length, positions.length - inside.length]
      )
      for (const point of points) {
        const near = inside.filter(
          ([px, , pz]) =>
            Math.abs(px - point.x) <= cellWidth / 2 + 1e-6 && Math.abs(pz - point.y) <= cellHeight / 2 + 1e-6
        )
        assert.isAtLeast(near.length, point.value)
      }
    },
    { fastCheck: { numRuns: runCount(1500) } }
  )
})

describe("the plan of a heatmap", () => {
  const asking = { now: Date.parse("2026-03-05T12:00:00Z"), zone: "UTC", weekStart: 0 } as const
  const definition = { bounds: box(100, 50), resolutionFactor: 1 }
  const metric = { visible: true, data: { name: "die", type: "totalEvents" } }
  const query: HeatmapQuery = {
    time: { step: "day", relative: { step: "day", value: 1 } },
    metrics: [metric]
  }
  const problemOf = (change: Partial<HeatmapQuery>) =>
    Either.match(planHeatmap({ ...query, ...change }, definition, asking), {
      onLeft: ({ kind, message }) => [kind, message.split(":")[0]],
      onRight: () => null
    })

  it("takes bounds and grid from the definition and leaves invisible metrics out", () => {
    const metrics = [metric, { visible: false, data: { name: "hidden", type: "totalEvents" } }]
    const plan = Either.getOrThrow(planHeatmap({ ...query, metrics }, definition, asking))
    assert.deepStrictEqual([plan.bounds, plan.resolution], [definition.bounds, { x: 64, y: 32 }])
    assert.deepStrictEqual(
      plan.selectors.map(({ types }) => types),
      [["die"]]
    )
    assert.deepStrictEqual(plan.range, { from: Date.parse("2026-03-04T00:00:00Z"), to: asking.now + 1 })
  })

  it("takes as many cells as are asked for, and leaves other heights out", () => {
    const asked = { options: { cells: 16 }, heatmapData: { y: [0, 2.5] as const } }
    const plan = Either.getOrThrow(planHeatmap({ ...query, ...asked }, definition, asking))
    assert.deepStrictEqual(plan.resolution, { x: 16, y: 8 })
    assert.deepStrictEqual(plan.heights, { low: 0, high: 2.5 })
  })

  it("counts markers, whatever word says so, and nothing else", () => {
    const typed = (type: string) => problemOf({ metrics: [{ visible: false, data: { name: "die", type } }] })
    assert.isNull(typed("markers"))
    for (const type of ["uniqueUsers", "sum", "formula", "dau"])
      assert.deepStrictEqual(typed(type), ["invalid", "metrics.0.data.type"])
  })

  it("has at most 15 metrics and 10,000 points", () => {
    assert.isNull(problemOf({ metrics: Array.from({ length: 15 }, () => metric) }))
    assert.deepStrictEqual(problemOf({ metrics: Array.from({ length: 16 }, () => metric) }), ["limit", "metrics"])
    const answer = (count: number) => ({
      cells: Array.from({ length: count }, () => ({ column: 0, row: 0, count: 1, units: 1 })),
      totalEvents: count,
      uniqueUsers: 1,
      insideBounds: count
    })
    assert.isTrue(Either.isRight(checkHeatmapSize(answer(10_000))))
    assert.isTrue(Either.isLeft(checkHeatmapSize(answer(10_001))))
  })
})
