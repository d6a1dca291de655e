import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { unfiltered } from "../../../../src/domain/analytics/filter/Filter.ts"
import { heatmap } from "../../../../src/domain/analytics/heatmap/Heatmap.ts"
import type { HeatmapPlan } from "../../../../src/domain/analytics/heatmap/HeatmapPlan.ts"
import { heatmapPoints } from "../../../../src/domain/analytics/heatmap/HeatmapPoints.ts"
import { events, shuffled } from "../../../support/Arbitraries.ts"
import { marker, named } from "../../../support/analytics/Markers.ts"
import { runCount } from "../../../support/Runs.ts"

const planOf = (more: Partial<HeatmapPlan> = {}): HeatmapPlan => ({
  range: { from: 0, to: 1e12 },
  selectors: [named("die")],
  filter: unfiltered,
  bounds: { pointA: { x: 0, y: 0, z: 0 }, pointB: { x: 10, y: 5, z: 4 } },
  resolution: { x: 5, y: 2 },
  ...more
})

const at = (sequence: number, unit: string | null, x: number, y: number, z: number, type = "die") =>
  marker(sequence, unit, type, sequence, { position: [x, y, z] })

describe("a heatmap", () => {
  const all = [
    at(1, "u", 0, 0, 0),
    at(2, "u", 1.9, 5, 1.9),
    at(3, "v", 10, 2, 4),
    at(4, "v", 10.1, 2, 4),
    at(5, null, 5, 5.1, 2),
    at(6, null, 2, 0, 2),
    marker(7, "w", "die", 7)
  ]

  it("counts markers in cells of world X and Z, the bounds included on all three axes", () => {
    assert.deepEqual(heatmap(all, planOf()), {
      cells: [
        { column: 0, row: 0, count: 2, units: 1 },
        { column: 1, row: 1, count: 1, units: 0 },
        { column: 4, row: 1, count: 1, units: 1 }
      ],
      totalEvents: 6,
      uniqueUsers: 2,
      insideBounds: 4
    })
  })

  it("leaves markers of other heights out of every number", () => {
    const between = heatmap(all, planOf({ heights: { low: 0, high: 2 } }))
    assert.deepEqual([between.totalEvents, between.insideBounds, between.uniqueUsers], [4, 3, 2])
    const floor = heatmap(all, planOf({ heights: { low: 5.1, high: 5.1 } }))
    assert.deepEqual([floor.totalEvents, floor.insideBounds], [1, 0])
  })

  it("takes corners in any order and markers only of the range", () => {
    const bounds = { pointA: { x: 10, y: 0, z: 4 }, pointB: { x: 0, y: 5, z: 0 } }
    assert.deepEqual(heatmap(all, planOf({ bounds })), heatmap(all, planOf()))
    assert.strictEqual(heatmap(all, planOf({ range: { from: 2, to: 3 } })).totalEvents, 1)
  })

  it("puts a marker on the boundary of two cells into the farther one, also where a division is rounded", () => {
    const bounds = { pointA: { x: 0, y: 0, z: 0 }, pointB: { x: 10, y: 5, z: 4 } }
    const { cells } = heatmap([at(1, "u", 7, 0, 0)], planOf({ bounds, resolution: { x: 90, y: 1 } }))
    assert.deepEqual(cells, [{ column: 63, row: 0, count: 1, units: 1 }])
  })

  it("adds its metrics up, units once", () => {
    const selectors = [named("die"), named("spawn")]
    const { cells } = heatmap([...all, at(8, "u", 0, 0, 0, "spawn")], planOf({ selectors }))
    assert.deepEqual(cells[0], { column: 0, row: 0, count: 3, units: 1 })
  })

  it("compares in single precision, as positions are kept", () => {
    const bounds = { pointA: { x: 0, y: 0, z: 0 }, pointB: { x: 0.1, y: 1, z: 0.1 } }
    const kept = Math.fround(0.1)
    assert.strictEqual(heatmap([at(1, "u", kept, 0, 0.1)], planOf({ bounds })).insideBounds, 1)
  })

  it("shows density, counts or units at the centre of a cell", () => {
    const plan = planOf()
    const answer = heatmap(all, plan)
    const count = heatmapPoints(plan, answer, "count")
    assert.deepEqual(count.points, [
      { x: 1, y: 1, value: 2 },
      { x: 3, y: 3, value: 1 },
      { x: 9, y: 3, value: 1 }
    ])
    assert.deepEqual([count.cellWidth, count.cellHeight], [2, 2])
    assert.deepEqual(count.statistics, {
      totalEvents: 6,
      uniqueUsers: 2,
      insideBounds: 4,
      outsideBounds: 2,
      cells: 3,
      min: 1,
      max: 2,
      mean: 4 / 3,
      p50: 1,
      p95: 1.9
    })
    assert.deepEqual(
      heatmapPoints(plan, answer, "unique").points.map(({ value }) => value),
      [1, 0, 1]
    )
    assert.deepEqual(
      heatmapPoints(plan, answer, "density").points.map(({ value }) => value),
      [0.125, 0.0625, 0.0625]
    )
  })

  it("of nothing has no points", () => {
    const { points, statistics } = heatmapPoints(planOf(), heatmap([], planOf()), "density")
    assert.isEmpty(points)
    assert.deepEqual([statistics.min, statistics.mean, statistics.p95], [null, null, null])
  })
})

const shape = { units: 3, types: ["die", "spawn"], ticks: 20, tick: 1, origin: 0, most: 40 }
const edge = fc.integer({ min: -1, max: 5 })
const anyPlan = fc
  .tuple(edge, edge, edge, edge, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }))
  .map(([ax, az, bx, bz, x, y]) =>
    planOf({
      range: { from: 3, to: 17 },
      selectors: [named("die"), named("spawn")],
      bounds: { pointA: { x: ax, y: -1, z: az }, pointB: { x: bx, y: 1, z: bz } },
      resolution: { x, y }
    })
  )

describe("any heatmap", () => {
  it.prop(
    "agrees with a count of each cell and sums to what is inside",
    [events(shape).chain((all) => fc.tuple(fc.constant(all), shuffled(all))), anyPlan],
    ([[all, other], plan]) => {
      const answer = heatmap(all, plan)
      assert.deepEqual(heatmap(other, plan), answer)
      const { pointA: a, pointB: b } = plan.bounds
      const [left, right, near, far] = [Math.min(a.x, b.x), Math.max(a.x, b.x), Math.min(a.z, b.z), Math.max(a.z, b.z)]
      const seen = all.filter(({ timestamp, position }) => position !== null && timestamp >= 3 && timestamp < 17)
      const slot = (value: number, from: number, to: number, cells: number) => {
        const ends = Array.from({ length: cells - 1 }, (_, cell) => (to - from) * (cell + 1))
        return to === from ? 0 : ends.filter((end) => (value - from) * cells >= end).length
      }
      const inside = seen.filter(({ position }) => {
        const [x, , z] = position!
        return x >= left && x <= right && z >= near && z <= far
      })
      assert.deepEqual([answer.totalEvents, answer.insideBounds], [seen.length, inside.length])
      assert.strictEqual(
        answer.cells.reduce((sum, { count }) => sum + count, 0),
        inside.length
      )
      for (const { column, row, count, units } of answer.cells) {
        const own = inside.filter(({ position }) => {
          const [x, , z] = position!
          return slot(x, left, right, plan.resolution.x) === column && slot(z, near, far, plan.resolution.y) === row
        })
        assert.strictEqual(own.length, count)
        assert.strictEqual(new Set(own.flatMap(({ unitId }) => unitId ?? [])).size, units)
      }
    },
    { fastCheck: { numRuns: runCount(1500) } }
  )
})
