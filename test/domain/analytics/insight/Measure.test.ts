import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import type { StoredEvent, Value } from "../../../../src/domain/analytics/markers/Event.ts"
import type { Measure } from "../../../../src/domain/analytics/insight/InsightPlan.ts"
import { measureOf } from "../../../../src/domain/analytics/insight/Measure.ts"
import { percentileOf } from "../../../../src/domain/analytics/insight/Percentile.ts"
import { exactSum } from "../../../../src/domain/analytics/insight/Sum.ts"
import { marker } from "../../../support/analytics/Markers.ts"
import { runCount } from "../../../support/Runs.ts"

const runs = { fastCheck: { numRuns: runCount(1000) } }

describe("the exact sum", () => {
  it("is the nearest double", () => {
    assert.strictEqual(exactSum([]), 0)
    assert.strictEqual(exactSum([0.1, 0.2, 0.3, -0.3, -0.2, -0.1]), 0)
    assert.strictEqual(exactSum([1e16, 1, 1e-16]), 10_000_000_000_000_002)
    assert.strictEqual(exactSum([1e16, 1, -1e16]), 1)
    assert.strictEqual(exactSum(Array.from({ length: 10 }, () => 0.1)), 1)
    assert.isNaN(exactSum([1e308, 1e308]))
    assert.isNaN(exactSum([Infinity, -Infinity, 1]))
    assert.strictEqual(exactSum([1e308, 1e308, -1e308, -1e308, 5e-324]), 5e-324)
  })

  const binary = fc.tuple(fc.integer(), fc.integer({ min: 0, max: 60 })).map(([n, k]) => n / 2 ** k)

  it.prop(
    "is that of exact arithmetic",
    [fc.array(binary, { maxLength: 20 })],
    ([values]) => {
      const exact = values.reduce((sum, value) => sum + BigInt(value * 2 ** 60), 0n)
      assert.strictEqual(exactSum(values), Number(exact) / 2 ** 60)
    },
    runs
  )

  it.prop(
    "does not depend on order or parts, nor on what they pass on the way",
    [
      fc.array(fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(1e308, -1e308)), {
        maxLength: 12
      }),
      fc.nat(11)
    ],
    ([values, cut]) => {
      assert.strictEqual(exactSum([...values, ...values.map((value) => -value)]), 0)
      const sum = String(exactSum(values))
      assert.strictEqual(String(exactSum(values.toReversed())), sum)
      assert.strictEqual(String(exactSum([...values.slice(cut), ...values.slice(0, cut)])), sum)
    },
    runs
  )
})

describe("a percentile", () => {
  it("interpolates as type 7 does", () => {
    const values = [15, 20, 35, 40, 50]
    assert.deepEqual(
      [0, 5, 30, 40, 50, 95, 100].map((p) => percentileOf(values, p)),
      [15, 16, 23, 29, 35, 48, 50]
    )
    assert.strictEqual(percentileOf([1, 2, 3, 4], 50), 2.5)
    assert.strictEqual(percentileOf([7], 99), 7)
    assert.strictEqual(percentileOf([-1e308, 1e308], 50), 0)
    assert.isNull(percentileOf([], 50))
  })

  it.prop(
    "lies between its neighbours and does not depend on order",
    [fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 9 }), fc.integer({ min: 0, max: 100 })],
    ([values, p]) => {
      const value = percentileOf(values, p)!
      const sorted = values.toSorted((a, b) => a - b)
      const position = ((values.length - 1) * p) / 100
      assert.isTrue(value >= sorted[Math.floor(position)]! && value <= sorted[Math.ceil(position)]!)
      assert.strictEqual(percentileOf(sorted.toReversed(), p), value)
    },
    runs
  )
})

describe("a measure", () => {
  const row = (unit: string | null, session: string | null, a: Value | undefined): StoredEvent =>
    marker(0, unit, "m", 0, { session, arguments: a === undefined ? {} : { a } })
  const events = [
    row("u", "s1", 1),
    row("u", "s1", "2"),
    row("v", "s2", 9),
    row("v", null, "nine"),
    row(null, "s2", 4),
    row("w", "s3", undefined),
    row("w", "s3", [100])
  ]
  const value = (type: Exclude<Measure["type"], "percentile" | "activeUsers">, of: ReadonlyArray<StoredEvent>) =>
    measureOf({ type, argument: "a" } as Measure, of)

  it.for<readonly [Exclude<Measure["type"], "percentile" | "activeUsers">, number, number | null]>([
    ["totalEvents", 7, 0],
    ["uniqueUsers", 3, 0],
    ["firstTimeUsers", 3, 0],
    ["totalSessions", 3, 0],
    ["frequencyPerUser", 7 / 3, null],
    ["frequencyPerSession", 7 / 3, null],
    ["sum", 16, 0],
    ["average", 4, null],
    ["min", 1, null],
    ["max", 9, null],
    ["sumPerUser", 16 / 3, null],
    ["averagePerUser", (1.5 + 9) / 2, null]
  ])("%s is %s here and %s of nothing", ([type, here, ofNothing]) => {
    assert.strictEqual(value(type, events), here)
    assert.strictEqual(value(type, []), ofNothing)
  })

  it("of percentiles leaves non-numbers aside", () => {
    assert.strictEqual(measureOf({ type: "percentile", argument: "a", percentile: 50 }, events), 3)
    assert.isNull(measureOf({ type: "percentile", argument: "a", percentile: 50 }, [row("v", null, "nine")]))
  })

  it("past the range of a double is null", () => {
    assert.isNull(measureOf({ type: "sum", argument: "a" }, [row("u", null, 1e308), row("u", null, 1e308)]))
  })
})
