import { assert, describe, it } from "@effect/vitest"
import { activeSpans } from "../../../../src/domain/analytics/insight/ActiveUsers.ts"
import { type Dimension } from "../../../../src/domain/analytics/filter/Breakdown.ts"
import { insight } from "../../../../src/domain/analytics/insight/Insight.ts"
import type { Measure } from "../../../../src/domain/analytics/insight/InsightPlan.ts"
import { marker } from "../../../support/analytics/Markers.ts"
import { time, planOf, values } from "../../../support/analytics/InsightPlans.ts"

const days = time("2024-03-08T00:00:00Z", "2024-03-12T00:00:00Z")
const at = (sequence: number, unit: string | null, when: string, a?: string | number) =>
  marker(sequence, unit, "play", when, { arguments: a === undefined ? {} : { a } })

describe("an insight", () => {
  it("computes uniques over the whole range, never from buckets", () => {
    const all = [
      at(1, "u", "2024-03-08T01:00:00Z"),
      at(2, "u", "2024-03-09T01:00:00Z"),
      at(3, "v", "2024-03-09T02:00:00Z")
    ]
    assert.deepEqual(values(all, planOf(days, [{ type: "uniqueUsers" }]))[0], { values: [1, 2, 0, 0], aggregate: 2 })
  })

  it("answers 0 for empty counts and sums and null for the rest", () => {
    const all = [at(1, "u", "2024-03-08T01:00:00Z", 4)]
    const [sum, average] = values(
      all,
      planOf(days, [
        { type: "sum", argument: "a" },
        { type: "average", argument: "a" }
      ])
    )
    assert.deepEqual(
      [sum!.values, average!.values],
      [
        [4, 0, 0, 0],
        [4, null, null, null]
      ]
    )
  })

  it("counts a unit as new once, at its first matching marker ever", () => {
    const all = [
      at(1, "old", "2024-01-01T00:00:00Z"),
      at(2, "old", "2024-03-09T00:00:00Z"),
      at(3, "new", "2024-03-09T00:00:00Z"),
      at(4, "new", "2024-03-10T00:00:00Z"),
      at(5, null, "2024-03-10T00:00:00Z")
    ]
    assert.deepEqual(values(all, planOf(days, [{ type: "firstTimeUsers" }]))[0], { values: [0, 1, 0, 0], aggregate: 1 })
  })

  it("carries active users over days without markers, and looks before the range", () => {
    const all = [
      at(1, "u", "2024-03-07T23:00:00Z"),
      at(2, "v", "2024-03-08T01:00:00Z"),
      at(3, "w", "2024-02-09T00:00:00Z")
    ]
    const active = ([1, 7, 30] as const).map((n): Measure => ({
      type: "activeUsers",
      days: n,
      spans: activeSpans(days, n)
    }))
    assert.deepEqual(
      values(all, planOf(days, active)).map((points) => points.values.concat(points.aggregate)),
      [
        [1, 0, 0, 0, 0],
        [2, 2, 2, 2, 2],
        [3, 3, 2, 2, 2]
      ]
    )
  })

  it("puts both hours of a repeated one in their own bucket", () => {
    const hours = time("2024-11-03T05:00:00Z", "2024-11-03T07:00:00Z", "hour", "America/New_York")
    const all = [
      at(1, "u", "2024-11-03T05:30:00Z"),
      at(2, "u", "2024-11-03T06:30:00Z"),
      at(3, "u", "2024-11-03T06:45:00Z")
    ]
    assert.deepEqual(values(all, planOf(hours, [{ type: "totalEvents" }]))[0]!.values, [1, 2])
  })

  it("ranks groups by the first metric, merges the rest and keeps missing values together", () => {
    const breakdowns: ReadonlyArray<Dimension> = [{ source: "argument", name: "a" }]
    const all = ["x", "x", "x", "y", "y", "", undefined, "z"].map((a, i) =>
      at(i, `u${i % 2}`, "2024-03-08T01:00:00Z", a)
    )
    const plan = planOf(days, [{ type: "totalEvents" }, { type: "uniqueUsers" }], { breakdowns, breakdownLimit: 2 })
    const { groups, metrics } = insight(all, plan)
    assert.deepEqual(groups, [
      { values: ["x"], isOther: false },
      { values: ["y"], isOther: false },
      { values: [], isOther: true }
    ])
    assert.deepEqual(
      metrics[0]!.map(({ aggregate }) => aggregate),
      [3, 2, 3]
    )
    assert.deepEqual(
      metrics[1]!.map(({ aggregate }) => aggregate),
      [2, 2, 2]
    )
    const wide = insight(all, { ...plan, breakdownLimit: 4 })
    assert.deepEqual(
      wide.groups.map((group) => group.values),
      [["x"], ["y"], [null], ["z"]]
    )
    const pinned = insight(all, { ...plan, groups: [["z"], ["nobody"]] })
    assert.deepEqual(
      pinned.metrics[0]!.map(({ aggregate }) => aggregate),
      [1, 0, 7]
    )
  })

  it("that names all groups there are has an other of nothing, as the comparison of one with an other needs it", () => {
    const breakdowns: ReadonlyArray<Dimension> = [{ source: "argument", name: "a" }]
    const named = insight([], planOf(days, [{ type: "totalEvents" }], { breakdowns, groups: [["x"]] }))
    const nothing = { values: [0, 0, 0, 0], aggregate: 0 }
    assert.deepEqual(named.metrics, [[nothing, nothing]])
    assert.lengthOf(named.groups, 2)
  })

  it("groups by membership and experiment group of the unit", () => {
    const groups = { key: "7@1", groups: new Map([["u", "control"]]), otherwise: null }
    const breakdowns: ReadonlyArray<Dimension> = [{ source: "experiment", name: "7", groups }]
    const all = [
      at(1, "u", "2024-03-08T01:00:00Z"),
      at(2, "v", "2024-03-08T01:00:00Z"),
      at(3, null, "2024-03-08T01:00:00Z")
    ]
    const answer = insight(all, planOf(days, [{ type: "totalEvents" }], { breakdowns }))
    assert.deepEqual(
      answer.groups.map((group) => group.values),
      [[null], ["control"]]
    )
  })

  it("of no markers has no groups, and one without a breakdown", () => {
    const breakdowns: ReadonlyArray<Dimension> = [{ source: "argument", name: "a" }]
    assert.deepEqual(insight([], planOf(days, [{ type: "totalEvents" }], { breakdowns })), {
      groups: [],
      metrics: [[]]
    })
    assert.deepEqual(values([], planOf(days, [{ type: "totalEvents" }]))[0], { values: [0, 0, 0, 0], aggregate: 0 })
  })
})
