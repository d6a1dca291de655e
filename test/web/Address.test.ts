import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { filterOf, filterText, operators } from "../../src/web/builder/Filters.ts"
import { measures, needsArgument } from "../../src/web/builder/Measures.ts"
import type { Period } from "../../src/web/builder/Period.ts"
import { dayStart, periodOf, periodText, stepFor } from "../../src/web/builder/Period.ts"
import type { Between } from "../../src/web/funnels/FunnelQuestion.ts"
import { displays as funnelDisplays, funnelCodec, moved } from "../../src/web/funnels/FunnelQuestion.ts"
import { questionWords } from "../../src/web/insights/Ask.ts"
import type { InsightDraft } from "../../src/web/insights/Question.ts"
import { displays, questionCodec } from "../../src/web/insights/Question.ts"
import type { Benchmark } from "../../src/web/retention/Benchmark.ts"
import { withBenchmark } from "../../src/web/retention/Benchmark.ts"
import { retentionCodec } from "../../src/web/retention/RetentionQuestion.ts"
import type { Codec } from "../../src/web/url/Codec.ts"
import { readable } from "../../src/web/url/Codec.ts"
import { destinationOf } from "../../src/web/account/Words.ts"

const name = fc.string({ minLength: 1, maxLength: 20 })

const filter = fc.oneof(
  fc.record({
    source: fc.constantFrom("argument" as const, "property" as const),
    name,
    operator: fc.constantFrom(...operators.map(({ value }) => value)),
    values: fc.array(fc.oneof(name, fc.constant("")), { maxLength: 3 })
  }),
  fc.record({
    source: fc.constant("cohort" as const),
    name,
    operator: fc.constantFrom("isIn" as const, "isNotIn" as const),
    values: fc.array(fc.integer({ min: 1, max: 9999 }).map(String), { minLength: 1, maxLength: 3 })
  })
)

const period: fc.Arbitrary<Period> = fc.oneof(
  fc.record({
    kind: fc.constant("relative" as const),
    step: fc.constantFrom("hour" as const, "day" as const, "week" as const, "month" as const, "year" as const),
    value: fc.integer({ min: 1, max: 9999 })
  }),
  fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 400 })).map(([first, days]) => ({
    kind: "dates" as const,
    from: new Date(first * 86_400_000).toISOString().slice(0, 10),
    to: new Date((first + days) * 86_400_000).toISOString().slice(0, 10)
  })),
  fc.record({
    kind: fc.constant("past" as const),
    step: fc.constantFrom("day" as const, "week" as const, "month" as const, "year" as const),
    value: fc.integer({ min: 1, max: 9999 })
  }),
  fc
    .integer({ min: 0, max: 20_000 })
    .map((first) => ({ kind: "since" as const, from: new Date(first * 86_400_000).toISOString().slice(0, 10) }))
)

const match = fc.constantFrom("all" as const, "any" as const)

const metric = fc
  .record({
    marker: name,
    measure: fc.constantFrom(...measures.map(({ value }) => value)),
    argument: name,
    isShown: fc.boolean(),
    filters: fc.array(filter, { maxLength: 2 }),
    match
  })
  .map((each) => (needsArgument(each.measure) ? each : { ...each, argument: "" }))

const benchmarks = fc
  .array(
    fc.record({
      interval: fc.integer({ min: 1, max: 31 }),
      rate: fc.integer({ min: 1, max: 1000 }).map((part) => part / 10)
    }),
    { maxLength: 6 }
  )
  .map((all) => all.reduce<ReadonlyArray<Benchmark>>(withBenchmark, []))

const question: fc.Arbitrary<InsightDraft> = fc.record({
  metrics: fc.array(metric, { maxLength: 4 }),
  formulas: fc.array(fc.record({ name: fc.oneof(fc.constant(""), name), formula: name }), { maxLength: 2 }),
  filters: fc.array(filter, { maxLength: 3 }),
  match,
  by: fc.option(fc.record({ source: fc.constantFrom("argument" as const, "property" as const), name })),
  period,
  step: fc.constantFrom(null, "hour" as const, "day" as const, "week" as const, "month" as const),
  isCompared: fc.boolean(),
  isCumulative: fc.boolean(),
  smoothing: fc.constantFrom(1, 7, 365),
  isLogarithmic: fc.boolean(),
  isShare: fc.boolean(),
  display: fc.constantFrom(...displays),
  hidden: fc.array(name, { maxLength: 3 })
})

describe("addresses of the dashboard", () => {
  it("a question survives its address", () => {
    fc.assert(
      fc.property(question, (asked) => {
        const address = readable(questionCodec.write(asked))
        assert.deepStrictEqual(questionCodec.read(new URLSearchParams(address)), asked)
      })
    )
  })

  it("a funnel and a retention survive their addresses", () => {
    const funnel = fc.record({
      steps: fc.array(fc.record({ marker: name, filters: fc.array(filter, { maxLength: 2 }), match }), {
        maxLength: 5
      }),
      withinDays: fc.integer({ min: 1, max: 365 }),
      filters: fc.array(filter, { maxLength: 2 }),
      match,
      by: fc.option(fc.record({ source: fc.constantFrom("argument" as const, "property" as const), name })),
      period,
      display: fc.constantFrom(...funnelDisplays),
      between: fc.option(
        fc.tuple(fc.nat(29), fc.integer({ min: 1, max: 2 })).map(([from, more]): Between => [from, from + more])
      ),
      hidden: fc.array(name, { maxLength: 3 })
    })
    const retention = fc
      .record({
        start: fc.string(),
        back: fc.string(),
        interval: fc.constantFrom("day" as const, "week" as const, "month" as const),
        count: fc.integer({ min: 1, max: 180 }),
        rows: fc.option(fc.integer({ min: 1, max: 366 })),
        picked: fc.array(name, { maxLength: 8 }),
        benchmarks
      })
      .map((each) => (each.rows === each.count ? { ...each, rows: null } : each))
    fc.assert(
      fc.property(funnel, retention, (passed, returned) => {
        const address = <State>(codec: Codec<State>, state: State) =>
          codec.read(new URLSearchParams(readable(codec.write(state))))
        assert.deepStrictEqual(address(funnelCodec, passed), passed)
        assert.deepStrictEqual(address(retentionCodec, returned), returned)
      })
    )
  })

  it("a step moves to another place, and all others keep their order", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(name, { minLength: 1, maxLength: 6 }),
        fc.nat(5),
        fc.integer({ min: -1, max: 6 }),
        (steps, from, to) => {
          const after = moved(steps, from, to)
          assert.sameMembers([...after], [...steps])
          if (from >= steps.length || to < 0 || to >= steps.length) assert.deepStrictEqual(after, steps)
          else {
            assert.strictEqual(after[to], steps[from])
            const others = (list: ReadonlyArray<string>) => list.filter((step) => step !== steps[from])
            assert.deepStrictEqual(others(after), others(steps))
          }
        }
      )
    )
  })

  it("a filter survives its text", () => {
    fc.assert(fc.property(filter, (each) => assert.deepStrictEqual(filterOf(filterText(each)), each)))
  })

  it("an address is readable, and defaults are left out", () => {
    const asked = questionCodec.read(
      new URLSearchParams("m=Login:uniqueUsers&by=property:platform&range=14d&compare=1")
    )
    assert.strictEqual(
      readable(questionCodec.write(asked)),
      "?m=Login:uniqueUsers&by=property:platform&range=14d&compare=1"
    )
    assert.strictEqual(questionWords(asked), "Players with Login, by platform, last 14 days")
  })

  const broken: ReadonlyArray<readonly [address: string, expected: Partial<InsightDraft>]> = [
    ["range=yesterday", { period: { kind: "relative", step: "day", value: 30 } }],
    ["range=24h,past", { period: { kind: "relative", step: "day", value: 30 } }],
    ["range=2026-02-30..", { period: { kind: "relative", step: "day", value: 30 } }],
    ["mean=1.5&log=yes&share=0", { smoothing: 1, isLogarithmic: false, isShare: false }],
    ["range=2026-10-09..2026-10-01", { period: { kind: "relative", step: "day", value: 30 } }],
    ["f=cookie:a:is:b", { filters: [] }],
    ["f=property", { filters: [] }],
    ["f=cohort:Whales:is:3&f=cohort:Whales:isIn:x&f=cohort:Whales:isIn", { filters: [] }],
    ["by=cohort:1", { by: null }],
    ["m=:uniqueUsers", { metrics: [] }],
    ["show=pie&step=second", { display: "line", step: null }]
  ]
  it.each(broken)("%s is left out", (address, expected) => {
    assert.deepInclude(questionCodec.read(new URLSearchParams(address)), expected)
  })

  it("a period survives its text and has a step", () => {
    fc.assert(
      fc.property(period, (each) => {
        assert.deepStrictEqual(periodOf(periodText(each)), each)
        assert.include(["hour", "day", "week", "month"], stepFor(each))
      })
    )
  })

  const midnights: ReadonlyArray<readonly [day: string, zone: string, after: number, instant: string]> = [
    ["2026-10-01", "UTC", 0, "2026-10-01T00:00:00.000Z"],
    ["2026-10-01", "UTC", 1, "2026-10-02T00:00:00.000Z"],
    ["2026-07-01", "Europe/Berlin", 0, "2026-06-30T22:00:00.000Z"],
    ["2026-03-29", "Europe/Berlin", 0, "2026-03-28T23:00:00.000Z"],
    ["2026-03-29", "Europe/Berlin", 1, "2026-03-29T22:00:00.000Z"],
    ["2026-11-01", "America/New_York", 1, "2026-11-02T05:00:00.000Z"],
    ["2026-09-06", "America/Santiago", 0, "2026-09-06T04:00:00.000Z"],
    ["2026-09-05", "America/Santiago", 1, "2026-09-06T04:00:00.000Z"],
    ["2026-04-05", "America/Santiago", 0, "2026-04-05T04:00:00.000Z"],
    ["2026-03-08", "America/Havana", 0, "2026-03-08T05:00:00.000Z"],
    ["2026-11-01", "America/Havana", 0, "2026-11-01T04:00:00.000Z"],
    ["2026-03-29", "Atlantic/Azores", 0, "2026-03-29T01:00:00.000Z"],
    ["2026-03-29", "Asia/Beirut", 0, "2026-03-28T22:00:00.000Z"],
    ["2026-01-01", "Pacific/Kiritimati", 0, "2025-12-31T10:00:00.000Z"]
  ]
  it.each(midnights)("%s in %s, %s days later, begins at %s", (day, zone, after, instant) => {
    assert.strictEqual(dayStart(day, zone, after), instant)
  })

  const destinations: ReadonlyArray<readonly [search: string, destination: string]> = [
    ["", "/"],
    ["to=/p/1/production/insights", "/p/1/production/insights"],
    ["to=//evil.example", "/"],
    ["to=https://evil.example", "/"],
    ["to=/\\evil.example", "/"]
  ]
  it.each(destinations)("a sign-in with ?%s leads to %s", (search, destination) => {
    assert.strictEqual(destinationOf(search, "/"), destination)
  })
})
