import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck as fc } from "effect"
import { chosenGroup, type GroupRequest } from "../../../../src/domain/analytics/filter/ChosenGroup.ts"
import type { Dimension, BreakdownGroup } from "../../../../src/domain/analytics/filter/Breakdown.ts"
import { heatmap } from "../../../../src/domain/analytics/heatmap/Heatmap.ts"
import { heatmapPoints } from "../../../../src/domain/analytics/heatmap/HeatmapPoints.ts"
import { heatmapUnits } from "../../../../src/domain/analytics/heatmap/HeatmapUnits.ts"
import { insight } from "../../../../src/domain/analytics/insight/Insight.ts"
import { insightUnits } from "../../../../src/domain/analytics/insight/InsightUnits.ts"
import { labelsOf } from "../../../../src/domain/analytics/insight/InsightResult.ts"
import type { StoredEvent } from "../../../../src/domain/analytics/markers/Event.ts"
import { type Memberships, noMemberships } from "../../../../src/domain/analytics/filter/Memberships.ts"
import { resolving, rewritten } from "../../../../src/domain/analytics/question/References.ts"
import { retention } from "../../../../src/domain/analytics/retention/Retention.ts"
import { retentionUnits } from "../../../../src/domain/analytics/retention/RetentionUnits.ts"
import { heatmapPlan, insightPlan, retentionPlan } from "../../../support/analytics/Plans.ts"
import { origin, tick, ticks, types } from "../../../support/analytics/PlanParts.ts"
import { events } from "../../../support/Arbitraries.ts"
import { runCount } from "../../../support/Runs.ts"

const everybody = { after: null, limit: Infinity }

/** Some units have the property value "Other", which is also what the merged group is called. */
const world: fc.Arbitrary<ReadonlyArray<StoredEvent>> = events({ units: 4, types, ticks, tick, origin, most: 40 }).map(
  (all) =>
    all.map((event, index) => Object.assign(event, index % 7 === 0 ? { properties: { p: "Other", a: "Other" } } : {}))
)

const memberships: Memberships = { ...noMemberships, cohort: () => new Set(["u0", "u2"]) }
const resolution = resolving(memberships)

/** A group as its series tells it; where two series tell the same, the last of them is the merged one. */
const requestOf = (
  dimensions: ReadonlyArray<Dimension>,
  groups: ReadonlyArray<BreakdownGroup>,
  at: number
): GroupRequest => {
  const told = groups.map((group) => JSON.stringify(labelsOf(dimensions, group)))
  return told.indexOf(told[at]!) < at ? "other" : labelsOf(dimensions, groups[at]!)
}

const named = (
  dimensions: ReadonlyArray<Dimension>,
  groups: ReadonlyArray<BreakdownGroup>,
  at: number
): BreakdownGroup => Either.getOrThrow(chosenGroup(dimensions, requestOf(dimensions, groups, at)))

const countsUnits = new Set(["uniqueUsers", "firstTimeUsers", "activeUsers"])

const runs = { numRuns: runCount(400) }

describe("The units behind a number are as many as it says", () => {
  it("of every bucket, group and metric of an insight that counts units", () => {
    fc.assert(
      fc.property(world, insightPlan, (all, given) => {
        const plan = rewritten.insight(given, resolution)
        const answer = insight(all, plan)
        for (const [metric, { measure }] of plan.metrics.entries())
          for (const at of answer.groups.keys()) {
            const { values, aggregate } = answer.metrics[metric]![at]!
            for (const [bucket, number] of [...values.entries(), [null, aggregate] as const]) {
              const group = named(plan.breakdowns, answer.groups, at)
              const asked = { insight: plan, metric, bucket, group, values: true, ...everybody }
              const { total, units } = insightUnits(all, asked)
              assert.strictEqual(units.length, total)
              if (countsUnits.has(measure.type)) assert.strictEqual(total, number)
              if (measure.type !== "totalEvents") continue
              const markers = units.reduce((sum, { value }) => sum + (value ?? 0), 0)
              assert.isAtMost(markers, number ?? 0)
            }
          }
      }),
      runs
    )
  })

  it("of every row and cell of a retention table, returned and left", () => {
    fc.assert(
      fc.property(world, retentionPlan, (all, given) => {
        const plan = rewritten.retention(given, resolution)
        const { series } = retention(all, plan)
        const groups = series.map(({ group }) => group)
        for (const [at, { rows }] of series.entries())
          for (const [row, { size, cells }] of rows.entries()) {
            const group = named(plan.breakdowns, groups, at)
            const units = (column: number | null, outcome: "returned" | "left") =>
              retentionUnits(all, { retention: plan, row, column, outcome, group, ...everybody }).total
            assert.deepStrictEqual([units(null, "returned"), units(null, "left")], [size, 0])
            for (const [column, { count, of }] of cells.entries())
              assert.deepStrictEqual([units(column, "returned"), units(column, "left")], [count, of - count])
          }
      }),
      runs
    )
  })

  it("of every cell of a heatmap, and of all its markers", () => {
    fc.assert(
      fc.property(world, heatmapPlan, (all, given) => {
        const plan = rewritten.heatmap(given, resolution)
        const answer = heatmap(all, plan)
        const { pointA, pointB } = plan.bounds
        const unitsAt = (x: number, z: number) =>
          heatmapUnits(all, {
            heatmap: plan,
            area: { pointA: { x, y: pointA.y, z }, pointB: { x, y: pointB.y, z } },
            ...everybody
          }).total
        assert.strictEqual(heatmapUnits(all, { heatmap: plan, area: null, ...everybody }).total, answer.uniqueUsers)
        for (const { x, y, value } of heatmapPoints(plan, answer, "unique").points)
          assert.strictEqual(unitsAt(x, y), value)
      }),
      runs
    )
  })
})

it("Pages follow each other, with the same total", () => {
  fc.assert(
    fc.property(world, insightPlan, (all, given) => {
      const plan = rewritten.insight({ ...given, breakdowns: [] }, resolution)
      const asked = { insight: plan, metric: 0, bucket: null, group: { values: [], isOther: false }, values: true }
      const { units, total } = insightUnits(all, { ...asked, ...everybody })
      const paged = units.map((unit, at) => [
        insightUnits(all, { ...asked, after: units[at - 1]?.unitId ?? null, limit: 1 }),
        { units: [unit], total }
      ])
      for (const [page, expected] of paged) assert.deepStrictEqual(page, expected)
    }),
    runs
  )
})
