import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck as fc } from "effect"
import type { Step } from "../../../../src/domain/Calendar.ts"
import { activeSpans } from "../../../../src/domain/analytics/insight/ActiveUsers.ts"
import { type Dimension, groupKey, groupOf } from "../../../../src/domain/analytics/filter/Breakdown.ts"
import { countOf } from "../../../../src/domain/analytics/time/Buckets.ts"
import { type StoredEvent, byTime } from "../../../../src/domain/analytics/markers/Event.ts"
import { everything } from "../../../../src/domain/analytics/filter/Filter.ts"
import { insight } from "../../../../src/domain/analytics/insight/Insight.ts"
import type { InsightPlan, Measure } from "../../../../src/domain/analytics/insight/InsightPlan.ts"
import { measureOf } from "../../../../src/domain/analytics/insight/Measure.ts"
import { type TimeRange, resolve } from "../../../../src/domain/analytics/time/TimeRange.ts"
import { events, shuffled } from "../../../support/Arbitraries.ts"
import { marker, named } from "../../../support/analytics/Markers.ts"
import { runCount } from "../../../support/Runs.ts"

const time = (from: string, to: string, step: Step = "day", zone = "UTC"): TimeRange =>
  Either.getOrThrow(
    resolve({ step, zone, weekStart: 0, span: { from: Date.parse(from), to: Date.parse(to) } }, 0, 10_000)
  )

const planOf = ({ range, buckets }: TimeRange, measures: ReadonlyArray<Measure>, more: Partial<InsightPlan> = {}) => ({
  range,
  buckets,
  metrics: measures.map((measure, i) => ({ id: String.fromCharCode(65 + i), selector: named("play"), measure })),
  filter: everything,
  breakdowns: [],
  breakdownLimit: 25,
  groups: null,
  cumulative: false,
  ...more
})

const values = (all: ReadonlyArray<StoredEvent>, plan: InsightPlan) =>
  insight(all, plan).metrics.map(([points]) => points!)

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

const shape = {
  units: 3,
  types: ["play", "buy"],
  ticks: 60,
  tick: 3 * 3_600_000,
  origin: Date.parse("2024-03-07T00:00:00Z"),
  most: 25
}
const zones = ["UTC", "America/New_York", "Asia/Kolkata"]
const dates = new Map(
  zones.map((timeZone) => [timeZone, new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" })])
)
const anyTime = fc
  .tuple(
    fc.constantFrom<Array<Step>>("hour", "day", "week"),
    fc.constantFrom(...zones),
    fc.integer({ min: 0, max: 40 }),
    fc.integer({ min: 1, max: 40 })
  )
  .map(([step, zone, from, length]) => {
    const start = shape.origin + from * shape.tick
    return time(new Date(start).toISOString(), new Date(start + length * shape.tick + 1).toISOString(), step, zone)
  })
const simple = fc.constantFrom<Array<Measure>>(
  { type: "totalEvents" },
  { type: "uniqueUsers" },
  { type: "totalSessions" },
  { type: "frequencyPerUser" },
  { type: "sum", argument: "a" },
  { type: "average", argument: "a" },
  { type: "percentile", argument: "a", percentile: 50 },
  { type: "averagePerUser", argument: "a" },
  { type: "firstTimeUsers" }
)
const byArgument: ReadonlyArray<Dimension> = [
  { source: "argument", name: "a" },
  { source: "property", name: "p" }
]
const runs = { fastCheck: { numRuns: runCount(1000) } }

describe("any insight", () => {
  it.prop(
    "is what each bucket and group says by itself",
    [events(shape), anyTime, simple],
    ([all, when, measure]) => {
      const plan = planOf(when, [measure], { breakdowns: byArgument, breakdownLimit: 100 })
      const { groups, metrics } = insight(all, plan)
      const counted = all
        .filter(({ type }) => type === "play")
        .toSorted(byTime)
        .filter(
          ({ unitId }, i, sorted) =>
            measure.type !== "firstTimeUsers" ||
            (unitId !== null && sorted.findIndex((one) => one.unitId === unitId) === i)
        )
        .filter(({ timestamp }) => timestamp >= plan.range.from && timestamp < plan.range.to)
      const key = (event: StoredEvent) => groupKey(groupOf(byArgument)(event))
      assert.deepEqual(new Set(groups.map((group) => groupKey(group.values))), new Set(counted.map(key)))
      groups.forEach((group, g) => {
        const own = counted.filter((event) => key(event) === groupKey(group.values))
        const { boundaries } = plan.buckets
        const expected = boundaries.slice(0, -1).map((start, i) =>
          measureOf(
            measure,
            own.filter(({ timestamp }) => timestamp >= start && timestamp < boundaries[i + 1]!)
          )
        )
        assert.deepEqual(metrics[0]![g], { values: expected, aggregate: measureOf(measure, own) })
      })
    },
    runs
  )

  it.prop(
    "does not depend on the order of arrival",
    [events(shape).chain((all) => fc.tuple(fc.constant(all), shuffled(all))), anyTime, simple],
    ([[all, other], when, measure]) => {
      const plan = planOf(when, [measure, { type: "activeUsers", days: 7, spans: activeSpans(when, 7) }], {
        breakdowns: byArgument,
        breakdownLimit: 2
      })
      assert.deepEqual(insight(other, plan), insight(all, plan))
    },
    runs
  )

  it.prop(
    "adds up over groups and buckets when it counts markers",
    [events(shape), anyTime, fc.integer({ min: 1, max: 4 })],
    ([all, when, breakdownLimit]) => {
      const plan = planOf(when, [{ type: "totalEvents" }])
      const [total] = values(all, plan)
      const grouped = insight(all, { ...plan, breakdowns: byArgument, breakdownLimit }).metrics[0]!
      assert.strictEqual(
        grouped.reduce((sum, { aggregate }) => sum + aggregate!, 0),
        total!.aggregate
      )
      assert.strictEqual(
        total!.values.reduce<number>((sum, value) => sum + value!, 0),
        total!.aggregate
      )
    },
    runs
  )

  it.prop(
    "cumulative is the range that ends with each bucket",
    [events(shape), anyTime, simple],
    ([all, when, measure]) => {
      const plan = planOf(when, [measure])
      const [points] = values(all, { ...plan, cumulative: true })
      const expected = when.buckets.boundaries.slice(1).map((end) => {
        const range = { from: plan.range.from, to: Math.min(end, plan.range.to) }
        return values(all, { ...plan, range })[0]!.aggregate
      })
      assert.deepEqual(points!.values, expected)
      assert.strictEqual(points!.values.at(-1), points!.aggregate)
    },
    runs
  )

  it.prop(
    "of active users counts who came in the days of the span",
    [events(shape), anyTime, fc.constantFrom<Array<1 | 7 | 30>>(1, 7, 30)],
    ([all, when, n]) => {
      const spans = activeSpans(when, n)
      const [points] = values(all, planOf(when, [{ type: "activeUsers", days: n, spans }]))
      const format = dates.get(when.buckets.zone)!
      const dayOf = (instant: number) => Date.parse(`${format.format(instant)}T00:00:00Z`) / 86_400_000
      const expected = Array.from({ length: countOf(when.buckets) }, (_, i) => {
        const last = dayOf(Math.min(when.buckets.boundaries[i + 1]!, when.range.to) - 1)
        const active = all.filter(
          ({ type, unitId, timestamp }) =>
            type === "play" &&
            unitId !== null &&
            timestamp < when.range.to &&
            dayOf(timestamp) <= last &&
            dayOf(timestamp) > last - n
        )
        return new Set(active.map(({ unitId }) => unitId)).size
      })
      assert.deepEqual(points!.values, expected)
      assert.strictEqual(points!.aggregate, expected.at(-1))
    },
    runs
  )
})
