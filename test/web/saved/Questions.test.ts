import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { isFinished, operators } from "../../../src/web/builder/Filters.ts"
import { measures, needsArgument } from "../../../src/web/builder/Measures.ts"
import type { Period } from "../../../src/web/builder/Period.ts"
import { stepFor } from "../../../src/web/builder/Period.ts"
import { funnelKind } from "../../../src/web/funnels/FunnelKind.ts"
import { insightKind } from "../../../src/web/insights/InsightKind.ts"
import { displays } from "../../../src/web/insights/Question.ts"
import { retentionKind } from "../../../src/web/retention/RetentionKind.ts"
import type { Definition, Kind } from "../../../src/web/saved/Kind.ts"
import { asksTheSame } from "../../../src/web/saved/Same.ts"
import { answered } from "./Answered.ts"

const readAgain = <State>(kind: Kind<State>, state: State, zone: string) => {
  const definition = kind.definition(state, zone)
  return definition === null ? undefined : kind.read(answered(definition), zone)
}

const name = fc.string({ minLength: 1, maxLength: 20 })
const zone = fc.constantFrom("UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Apia")
const match = fc.constantFrom("all" as const, "any" as const)

const filters = fc.array(
  fc
    .record({
      source: fc.constantFrom("argument" as const, "property" as const),
      name,
      operator: fc.constantFrom(...operators.map(({ value }) => value)),
      values: fc.array(fc.integer().map(String), { minLength: 1, maxLength: 3 })
    })
    .map((each) => (each.operator.startsWith("isS") || each.operator === "isNotSet" ? { ...each, values: [] } : each)),
  { maxLength: 3 }
)

const dates = fc
  .tuple(fc.integer({ min: 18_000, max: 20_000 }), fc.integer({ min: 0, max: 100 }))
  .map(([first, days]): Period => ({
    kind: "dates",
    from: new Date(first * 86_400_000).toISOString().slice(0, 10),
    to: new Date((first + days) * 86_400_000).toISOString().slice(0, 10)
  }))

const period: fc.Arbitrary<Period> = fc.oneof(
  fc.record({
    kind: fc.constant("relative" as const),
    step: fc.constantFrom("hour" as const, "day" as const, "week" as const, "month" as const, "year" as const),
    value: fc.integer({ min: 1, max: 500 })
  }),
  dates,
  fc.constantFrom<Period>(
    { kind: "past", step: "month", value: 2 },
    { kind: "past", step: "day", value: 30 },
    { kind: "since", from: "2026-01-31" }
  )
)

const metrics = fc.array(
  fc
    .record({
      marker: name,
      measure: fc.constantFrom(...measures.map(({ value }) => value)),
      argument: name,
      isShown: fc.boolean(),
      filters,
      match
    })
    .map((each) => (needsArgument(each.measure) ? each : { ...each, argument: "" })),
  { minLength: 1, maxLength: 4 }
)

const question = fc
  .record({
    metrics,
    formulas: fc.array(fc.record({ name: fc.oneof(fc.constant(""), name), formula: name }), { maxLength: 2 }),
    filters,
    match,
    by: fc.option(fc.record({ source: fc.constantFrom("argument" as const, "property" as const), name })),
    period,
    step: fc.constantFrom(null, "hour" as const, "day" as const, "week" as const, "month" as const),
    isCompared: fc.boolean(),
    smoothing: fc.constantFrom(1, 7),
    isLogarithmic: fc.boolean(),
    isShare: fc.boolean(),
    isCumulative: fc.boolean(),
    display: fc.constantFrom(...displays),
    hidden: fc.constant([])
  })
  .map((each) => ({ ...each, step: each.step === stepFor(each.period) ? null : each.step }))

describe("saved questions of the dashboard", () => {
  it("are read again as they were saved", () => {
    fc.assert(
      fc.property(question, zone, (asked, where) => {
        assert.isTrue(asked.filters.every(isFinished))
        assert.deepStrictEqual(readAgain(insightKind, asked, where), asked)
      })
    )
    const steps = fc.array(fc.record({ marker: name, filters, match }), { minLength: 2, maxLength: 4 })
    const funnel = fc.record({
      steps,
      withinDays: fc.integer({ min: 1, max: 365 }),
      filters,
      match,
      by: fc.option(fc.record({ source: fc.constantFrom("argument" as const, "property" as const), name })),
      period,
      display: fc.constant("steps" as const),
      between: fc.constant(null),
      hidden: fc.constant([])
    })
    fc.assert(
      fc.property(funnel, zone, (asked, where) => assert.deepStrictEqual(readAgain(funnelKind, asked, where), asked))
    )
    const retention = fc
      .record({
        start: name,
        back: name,
        interval: fc.constantFrom("day" as const, "week" as const, "month" as const),
        count: fc.integer({ min: 1, max: 180 }),
        rows: fc.option(fc.integer({ min: 1, max: 366 })),
        picked: fc.constant([]),
        benchmarks: fc.constantFrom(
          [],
          [
            { interval: 1, rate: 40 },
            { interval: 7, rate: 20.5 }
          ]
        )
      })
      .map((each) => (each.rows === each.count ? { ...each, rows: null } : each))
    fc.assert(
      fc.property(retention, zone, (asked, where) =>
        assert.deepStrictEqual(readAgain(retentionKind, asked, where), asked)
      )
    )
  })

  it("of another kind, or with parts that a page does not know, are not shown as something else", () => {
    const time = { step: "day" as const, relative: { step: "day" as const, value: 7 } }
    const logins = { id: "A", data: { type: "uniqueUsers" as const, name: "Login" } }
    const funnel = {
      time,
      steps: [
        { id: "1", name: "A" },
        { id: "2", name: "B" }
      ],
      conversionWindow: { step: "day" as const, value: 7 }
    } as const
    const unknown: ReadonlyArray<Definition> = [
      { queryType: "funnel", spec: funnel },
      { queryType: "insight", spec: { time: { ...time, timezone: "Asia/Tokyo" }, metrics: [logins] } },
      {
        queryType: "insight",
        spec: { time, metrics: [logins, { id: "f", visible: false, data: { type: "formula", formula: "A * 2" } }] }
      },
      {
        queryType: "insight",
        spec: { time, metrics: [{ id: "A", data: { type: "percentile", name: "L", argument: "x", percentile: 9 } }] }
      },
      {
        queryType: "insight",
        spec: {
          time,
          metrics: [
            {
              id: "A",
              data: {
                type: "uniqueUsers",
                name: "Login",
                filters: [{ source: "experiment", name: "Experiment", operator: "isIn", value: [1] }]
              }
            }
          ]
        }
      },
      {
        queryType: "insight",
        spec: {
          time,
          metrics: [logins],
          filters: [{ source: "experiment", name: "Experiment", operator: "isIn", value: [1] }]
        }
      },
      {
        queryType: "insight",
        spec: {
          time,
          metrics: [
            { ...logins, id: "logins" },
            { id: "f", data: { type: "formula", formula: "logins * 2" } }
          ]
        }
      }
    ]
    for (const definition of unknown) {
      assert.isNull(insightKind.read(answered(definition), "UTC"), JSON.stringify(definition))
    }
    const hours = { ...funnel, conversionWindow: { step: "hour" as const, value: 7 } }
    assert.isNotNull(funnelKind.read(answered({ queryType: "funnel", spec: funnel }), "UTC"))
    assert.isNull(funnelKind.read(answered({ queryType: "funnel", spec: hours }), "UTC"))
  })

  it("are compared by what they ask, not by how it is written", () => {
    const rows: ReadonlyArray<readonly [unknown, unknown, boolean]> = [
      [{ match: "all", filters: [] }, {}, true],
      [{ match: "any" }, {}, false],
      [{ id: "a", name: "x" }, { id: "b", name: ["x"] }, true],
      [{ options: { cumulative: false, display: "line" } }, {}, true],
      [{ options: { cumulative: true } }, {}, false],
      [[1, 2], [1], false],
      [{ a: {} }, { a: "x" }, false]
    ]
    for (const [left, right, same] of rows) {
      assert.strictEqual(asksTheSame(left, right), same, JSON.stringify([left, right]))
      assert.strictEqual(asksTheSame(right, left), same, JSON.stringify([right, left]))
    }
  })
})
