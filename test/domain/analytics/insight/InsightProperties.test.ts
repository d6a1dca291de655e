import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import type { Step } from "../../../../src/domain/Calendar.ts"
import { activeSpans } from "../../../../src/domain/analytics/insight/ActiveUsers.ts"
import { type Dimension, groupKey, groupOf } from "../../../../src/domain/analytics/filter/Breakdown.ts"
import { countOf } from "../../../../src/domain/analytics/time/Buckets.ts"
import { type StoredEvent, byTime } from "../../../../src/domain/analytics/markers/Event.ts"
import { insight } from "../../../../src/domain/analytics/insight/Insight.ts"
import type { Measure } from "../../../../src/domain/analytics/insight/InsightPlan.ts"
import { measureOf } from "../../../../src/domain/analytics/insight/Measure.ts"
import { events, shuffled } from "../../../support/Arbitraries.ts"
import { runCount } from "../../../support/Runs.ts"
import { time, planOf, values } from "../../../support/analytics/InsightPlans.ts"

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
      const activeAt = (end: number, latest: number) => {
        const last = dayOf(Math.min(end, when.range.to) - 1)
        const active = all.filter(
          ({ type, unitId, timestamp }) =>
            type === "play" &&
            unitId !== null &&
            timestamp < latest &&
            dayOf(timestamp) <= last &&
            dayOf(timestamp) > last - n
        )
        return new Set(active.map(({ unitId }) => unitId)).size
      }
      // A bucket that is whole counts all of its last day, also where that is longer than the range.
      const expected = Array.from({ length: countOf(when.buckets) }, (_, i) => {
        const end = when.buckets.boundaries[i + 1]!
        return activeAt(end, end <= when.range.to ? Infinity : when.range.to)
      })
      assert.deepEqual(points!.values, expected)
      assert.strictEqual(points!.aggregate, activeAt(when.range.to, when.range.to))
    },
    runs
  )
})
