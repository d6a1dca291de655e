import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck as fc } from "effect"
import { whole } from "../../../../src/domain/analytics/filter/Breakdown.ts"
import { orderFormulas } from "../../../../src/domain/analytics/insight/Formulas.ts"
import { planComparison, planInsight } from "../../../../src/domain/analytics/insight/InsightQuery.ts"
import { insightSeriesSteps } from "../../../../src/domain/analytics/insight/InsightResult.ts"
import { movingAverageSteps, withFormulasSteps } from "../../../../src/domain/analytics/insight/Series.ts"
import { exactSum } from "../../../../src/domain/analytics/insight/Sum.ts"
import { runCount } from "../../../support/Runs.ts"
import { ended } from "../../../support/Steps.ts"

const averaged = (...given: Parameters<typeof movingAverageSteps>) => ended(movingAverageSteps(...given)).value

describe("a moving average", () => {
  it("takes the buckets there are and leaves nulls aside", () => {
    assert.deepEqual(averaged({ values: [2, 4, null, 6, null, null], aggregate: 5 }, 2), {
      values: [2, 3, 4, 6, 6, null],
      aggregate: 5
    })
  })

  it.prop(
    "is the exact mean of the values in its window, however large or small they are",
    [
      fc.array(
        fc.oneof(
          fc.constant(null),
          fc.integer({ min: -9, max: 9 }),
          fc.double({ noNaN: true, noDefaultInfinity: true })
        )
      ),
      fc.integer({ min: 2, max: 5 })
    ],
    ([given, width]) => {
      const { values: averages } = averaged({ values: given, aggregate: null }, width)
      given.forEach((_, end) => {
        const known = given.slice(Math.max(0, end - width + 1), end + 1).filter((each) => each !== null)
        const expected = known.length === 0 ? null : exactSum(known) / known.length
        assert.isTrue(Object.is(averages[end], expected) || averages[end] === expected)
      })
    },
    { fastCheck: { numRuns: runCount(500) } }
  )

  it("looks at each value a few times, however wide the window is", () => {
    const { points, reads } = counted(1000)
    averaged(points, 365)
    assert.isBelow(reads(), 5 * 1000)
  })
})

/** Points that count how often one of their values is read. */
const counted = (count: number) => {
  let reads = 0
  const values = new Proxy(
    Array.from({ length: count }, (_, index) => index / 3),
    {
      get: (target, name, receiver) => {
        if (typeof name === "string" && /^\d+$/.test(name)) reads++
        return Reflect.get(target, name, receiver)
      }
    }
  )
  return { points: { values, aggregate: 1 }, reads: () => reads }
}

describe("the series of an insight", () => {
  const groupsOf = (count: number, buckets: number) =>
    Array.from(
      { length: count },
      () => new Map([["A", { values: Array.from({ length: buckets }, () => 2), aggregate: 2 }]])
    )

  it.each([
    ["few groups of many buckets", 1, 10_000],
    ["many groups of few buckets", 1_000, 10]
  ])("has formulas evaluated in steps of 512 places: %s", (_, groups, buckets) => {
    const texts = Array.from({ length: 14 }, (_, n) => ({ id: `F${n}`, text: `A${" + A".repeat(n)}` }))
    const ordered = Either.getOrThrow(orderFormulas(texts, new Set(["A"])))
    const { value, count } = ended(withFormulasSteps(groupsOf(groups, buckets), ordered, buckets))
    assert.isAtLeast(count, 14 * Math.ceil((groups * (buckets + 1)) / 512))
    assert.strictEqual(value.at(-1)?.get("F13")?.values.at(-1), 28)
  })

  it("has averages made in steps of 64 buckets, each of which looks at all of its width where their sum exceeds a double", () => {
    const { count } = ended(movingAverageSteps({ values: Array.from({ length: 640 }, () => 1e308), aggregate: 1 }, 365))
    assert.isAtLeast(count, 10)
  })

  const metrics = Array.from({ length: 15 }, (_, index) => `M${index}`)
  const data = { type: "totalEvents", name: "Login", filters: [], match: "all" } as const
  const planned = Either.getOrThrow(
    planInsight(
      {
        time: { step: "hour", relative: { step: "hour", value: 500 } },
        metrics: metrics.map((id) => ({ id, visible: true, data })),
        filters: [],
        match: "all",
        breakdowns: [],
        breakdownLimit: 25,
        options: { compare: "previousPeriod", cumulative: false, movingAverage: 365 }
      },
      { now: 1_772_323_199_007, zone: "UTC", weekStart: 1 }
    )
  )

  it("looks at each point a few times, however many metrics are compared", () => {
    const buckets = planned.plan.buckets.boundaries.length - 1
    const all = metrics.map(() => counted(buckets))
    const answer = { groups: [whole], metrics: all.map(({ points }) => [points]) }
    const earlier = { ...Either.getOrThrow(planComparison(planned, answer))!, answer }
    const series = Either.getOrThrow(ended(insightSeriesSteps(planned, answer, earlier)).value)
    assert.strictEqual(series.length, metrics.length)
    assert.deepStrictEqual(series[14]?.compare?.values, series[14]?.values)
    for (const { reads } of all) assert.isBelow(reads(), 10 * buckets)
  })
})
