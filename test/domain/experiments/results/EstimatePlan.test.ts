import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { unfiltered } from "../../../../src/domain/analytics/filter/Filter.ts"
import { estimateOf, planEstimate } from "../../../../src/domain/experiments/results/EstimatePlan.ts"
import { planMetric } from "../../../../src/domain/experiments/results/MetricPlan.ts"
import { unitScorecard } from "../../../../src/domain/experiments/results/UnitScorecard.ts"
import { marker } from "../../../support/analytics/Markers.ts"

const hour = 3_600_000
const day = 24 * hour

/** Noon of a day in UTC. */
const now = 40 * day + 12 * hour

const buyers = Either.getOrThrow(planMetric({ type: "proportion", marker: "Purchase", withinDays: 1 }))
const spent = Either.getOrThrow(planMetric({ type: "mean", marker: "Purchase", aggregation: "sum", argument: "price" }))

const planned = (changes: Partial<Parameters<typeof planEstimate>[0]> = {}) =>
  planEstimate({ metrics: [buyers, spent], entry: unfiltered, days: 3, now, zone: "UTC", ...changes })

let count = 0
const did = (unit: string, type: string, at: number, price = 0) =>
  marker(count++, unit, type, at, { arguments: { price } })

const markers = [
  did("old", "Login", 30 * day),
  did("ann", "Login", 38 * day),
  did("ann", "Purchase", 38 * day + hour, 4),
  did("bob", "Login", 39 * day + hour),
  did("old", "Login", 39 * day + 2 * hour),
  did("eve", "Login", 40 * day + hour),
  did("eve", "Purchase", 40 * day + 2 * hour, 2)
]

describe("an estimate", () => {
  it("is the same question a moment later but for its end, so that its answer is kept", () => {
    const [one, other] = [now, now + 999].map((moment) => {
      const { range, asOf, ...rest } = Either.getOrThrow(planned({ now: moment + 1 }))
      return { ...rest, from: range.from, to: range.to - moment, asOf }
    })
    assert.deepStrictEqual(one, other)
  })

  it("looks at whole days of the zone, the present one last", () => {
    const plan = Either.getOrThrow(planned())
    assert.deepStrictEqual(
      plan.days,
      [38, 39, 40].map((each) => each * day)
    )
    assert.deepStrictEqual(plan.range, { from: 38 * day, to: now + 1 })
    const inTokyo = Either.getOrThrow(planned({ zone: "Asia/Tokyo", days: 1 }))
    assert.deepStrictEqual(inTokyo.days, [40 * day - 9 * hour])
    // The clocks of Berlin went forward on 29 March 2026, so that this day begins 23 hours after the one before.
    const inBerlin = Either.getOrThrow(
      planned({ zone: "Europe/Berlin", days: 3, now: Date.parse("2026-03-30T10:00:00Z") })
    )
    assert.deepStrictEqual(
      inBerlin.days.map((each) => new Date(each).toISOString()),
      ["2026-03-27T23:00:00.000Z", "2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z"]
    )
    assert.deepStrictEqual(Either.isLeft(planned({ zone: "Mars/Olympus" })), true)
  })

  it("counts players by the day they came first, and those of a metric whose time is over", () => {
    const plan = Either.getOrThrow(planned())
    const { units, unitsByDay, metrics } = estimateOf(plan, unitScorecard(markers, plan), ["proportion", "mean"])
    assert.deepStrictEqual([units, unitsByDay], [4, [1, 2, 1]])
    const [share, sum] = metrics
    // Eve and old have come less than a day and more than a day ago: one buyer of three.
    assert.deepStrictEqual([share?.n, share?.mean], [3, 1 / 3])
    assert.closeTo(share?.variance ?? 0, 2 / 9, 0.12)
    assert.deepStrictEqual([sum?.n, sum?.mean], [4, 1.5])
  })

  it("says nothing of metrics without players", () => {
    const plan = Either.getOrThrow(planned())
    assert.deepStrictEqual(estimateOf(plan, unitScorecard([], plan), ["proportion", "ratio"]), {
      units: 0,
      unitsByDay: [0, 0, 0],
      metrics: [
        { n: 0, mean: null, variance: null },
        { n: 0, mean: null, variance: null }
      ]
    })
  })
})
