import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Either, FastCheck as fc, Schema } from "effect"
import { answerOf } from "../../../src/domain/analytics/question/Answer.ts"
import type { Event } from "../../../src/domain/analytics/markers/Event.ts"
import { planInsight } from "../../../src/domain/analytics/insight/InsightQuery.ts"
import type { InsightQuery } from "../../../src/domain/analytics/insight/InsightQuery.ts"
import { insightSeries } from "../../../src/domain/analytics/insight/InsightResult.ts"
import { InsightQuery as InsightBody } from "../../../schema/analytics/Insights.ts"
import { day } from "../../support/analytics/FewMarkers.ts"
import type { Game } from "../../support/game/Game.ts"
import { gameOf } from "../../support/game/Game.ts"
import { stores } from "../../support/Stores.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { envelopeKeys, testApp } from "../../support/TestApp.ts"

const start = Date.parse("2026-03-02T00:00:00Z")
const hour = 3_600_000

const range = (from: string, to: string, rest: object = {}) => ({ step: "day", timezone: "UTC", from, to, ...rest })
const week = range("2026-03-02T00:00:00Z", "2026-03-09T00:00:00Z")
const metric = (id: string, data: object, rest: object = {}) => ({
  id,
  data: { name: "Level", type: "totalEvents", ...data },
  ...rest
})

let serial = 0
const id = () => `00000000-0000-4000-8000-${String(++serial).padStart(12, "0")}`

interface Sent {
  readonly type: string
  readonly at: number
  readonly unit: string
  readonly value: Record<string, string | number>
  readonly platform: string
}

const few = fc.integer({ min: 0, max: 3 })

const sent: fc.Arbitrary<Sent> = fc.record({
  type: fc.constantFrom("Start", "Level", "Buy"),
  at: fc.integer({ min: 0, max: 60 }).map((hours) => start + hours * 2 * hour),
  unit: fc.constantFrom("u1", "u2", "u3", "u4"),
  value: fc.record({ price: few, item: fc.constantFrom("sword", "bow", "") }, { requiredKeys: [] }),
  platform: fc.constantFrom("ios", "web")
})

const [journeys] = fc.sample(fc.array(sent, { minLength: 300, maxLength: 300 }), { numRuns: 1, seed: 11 })

const markerOf = ({ type, at, unit, value, platform }: Sent) => ({
  markerId: id(),
  timestamp: at,
  type,
  value,
  userId: unit,
  sessionId: `${unit}-${Math.floor(at / day)}`,
  properties: { platform }
})

const eventOf = ({ type, at, unit, value, platform }: Sent): Event => ({
  markerId: id(),
  type,
  unitId: unit,
  sessionId: `${unit}-${Math.floor(at / day)}`,
  serverId: null,
  timestamp: at,
  receivedAt: start,
  clamped: false,
  arguments: value,
  properties: { platform },
  position: null
})

const everyMeasure = [
  ..."totalEvents uniqueUsers dau wau mau totalSessions frequencyPerUser frequencyPerSession firstTimeUsers"
    .split(" ")
    .map((type) => ({ type })),
  ..."sum average median min max sumPerUser averagePerUser".split(" ").map((type) => ({ type, argument: "price" })),
  { type: "percentile", argument: "price", percentile: 90 }
]

describe.each(stores)("queries over %s", (_, store) => {
  const { request } = testApp(store)
  let studio: Studio
  let game: Game

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
    game = await gameOf(request, studio)
    await game.send(journeys!.map(markerOf))
  })

  const insight = (body: object) => game.query("insights/execute", { time: week, ...body })

  it("answers an insight with exactly the fields of the contract", async () => {
    const body = { metrics: [metric("A", {})], options: { display: "line", compare: "previousPeriod" } }
    const answer = await insight(body)
    assert.strictEqual(answer.status, 200)
    assert.deepStrictEqual(Object.keys(answer.body).sort(), [
      "buckets",
      "complete",
      "display",
      "meta",
      "series",
      "time"
    ])
    assert.deepStrictEqual(answer.body.time, {
      from: "2026-03-02T00:00:00.000Z",
      to: "2026-03-09T00:00:00.000Z",
      step: "day",
      timezone: "UTC"
    })
    assert.strictEqual(answer.body.buckets[1], "2026-03-03T00:00:00.000Z")
    const [series] = answer.body.series
    assert.deepStrictEqual(Object.keys(series).sort(), ["aggregate", "breakdown", "compare", "metricId", "values"])
    assert.deepStrictEqual(
      [series.metricId, series.breakdown, series.values.length, answer.body.display],
      ["A", [], 7, "line"]
    )
    const levels = journeys!.filter(({ type }) => type === "Level").length
    assert.deepStrictEqual(
      [series.aggregate, series.compare],
      [
        levels,
        {
          from: "2026-02-23T00:00:00.000Z",
          to: "2026-03-02T00:00:00.000Z",
          values: [0, 0, 0, 0, 0, 0, 0],
          aggregate: 0
        }
      ]
    )
    assert.deepStrictEqual(Object.keys(answer.body.meta).sort(), [
      "asOf",
      "cached",
      "elapsedMs",
      "rowsScanned",
      "sampled"
    ])
    assert.deepStrictEqual([answer.body.meta.sampled, answer.body.meta.cached], [false, false])
  })

  it("answers what the pure functions answer over the same markers, for every measure and option", async () => {
    const stored = journeys!.map(eventOf).map((event, index) => ({ ...event, sequence: index + 1 }))
    const filters = [{ source: "argument", name: "price", operator: "greaterThanOrEqual", value: 1 }]
    const bodies = everyMeasure.flatMap((measure) => [
      { metrics: [metric("A", measure)] },
      {
        metrics: [
          metric("A", { ...measure, name: ["Level", "Buy"], filters }, { visible: false }),
          metric("B", {}),
          { id: "C", data: { type: "formula", formula: "100 * A / B" } }
        ],
        breakdowns: [
          { source: "argument", name: "item" },
          { source: "property", name: "platform" }
        ],
        breakdownLimit: 2,
        options: { cumulative: true, movingAverage: 2 }
      }
    ])
    for (const body of bodies) {
      const full = { time: { ...week, timezone: "Europe/Paris", step: "hour" }, ...body }
      const query: InsightQuery = Schema.decodeSync(InsightBody)(full as never)
      const planned = Either.getOrThrow(planInsight(query, { now: start, zone: "UTC", weekStart: 0 }))
      const expected = Either.getOrThrow(
        insightSeries(planned, answerOf(stored, { kind: "insight", plan: planned.plan }), null)
      )
      const answer = await game.query("insights/execute", full)
      assert.deepStrictEqual(answer.body.series, JSON.parse(JSON.stringify(expected)), JSON.stringify(body))
    }
  })

  it("uses the zone of the project unless the query names one, and gives days of 23 and 25 hours their length", async () => {
    const path = `/application/${studio.applicationId}`
    await request("PATCH", path, { headers: studio.cookie, body: { timezone: "Europe/Berlin" } })
    const bucketsOf = async (time: object) => {
      const answer = await game.query("insights/execute", { time, metrics: [metric("A", {})] })
      return answer.body.buckets
    }
    assert.deepStrictEqual(
      await bucketsOf({ step: "day", from: "2026-03-28T12:00:00+01:00", to: "2026-03-30T00:00:00Z" }),
      ["2026-03-27T23:00:00.000Z", "2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z"]
    )
    assert.deepStrictEqual(await bucketsOf({ step: "day", from: "2026-10-24T22:00:00Z", to: "2026-10-26T23:00:00Z" }), [
      "2026-10-24T22:00:00.000Z",
      "2026-10-25T23:00:00.000Z"
    ])
    const hours = await bucketsOf({ step: "hour", from: "2026-10-24T22:00:00Z", to: "2026-10-25T23:00:00Z" })
    assert.strictEqual(hours.length, 25)
    await request("PATCH", path, { headers: studio.cookie, body: { timezone: "UTC" } })
  })

  it("ends a relative time now", async () => {
    const before = Date.now()
    const time = { step: "day", timezone: "UTC", relative: { step: "day", value: 7 } }
    const { body } = await game.query("insights/execute", { time, metrics: [metric("A", {})] })
    const [from, to] = [Date.parse(body.time.from), Date.parse(body.time.to)]
    assert.isAtLeast(to, before)
    assert.isAtMost(to, Date.now())
    assert.strictEqual(from, Math.floor((to - 7 * day) / day) * day)
    assert.strictEqual(Date.parse(body.meta.asOf), to)
  })

  it("finds nothing in an argument that is described only, or of a type that nobody has sent", async () => {
    const sum = (name: string, argument: string) =>
      game.query("insights/execute", { time: week, metrics: [metric("A", { name, type: "sum", argument })] })
    const metadata = `/application/${studio.applicationId}/analytics/v1/markers/metadata`
    const headers = { ...studio.cookie, environment_id: String(studio.development) }
    const described = { arguments: [{ type: "Level", name: "planned", unit: "coins" }] }
    assert.strictEqual((await sum("Level", "planned")).status, 422)
    assert.strictEqual((await request("PUT", metadata, { headers, body: described })).status, 200)
    for (const answer of [await sum("Level", "planned"), await sum("Unsent", "planned")])
      assert.deepStrictEqual([answer.status, answer.body.series[0].aggregate], [200, 0])
  })

  it("merges the groups past the limit as Other", async () => {
    const { body } = await insight({
      metrics: [metric("A", {})],
      breakdowns: [{ source: "argument", name: "item" }],
      breakdownLimit: 1
    })
    assert.strictEqual(body.series.length, 2)
    assert.deepStrictEqual(body.series[1].breakdown, [{ name: "item", value: "Other" }])
    const total = body.series.reduce((sum: number, { aggregate }: { aggregate: number }) => sum + aggregate, 0)
    assert.strictEqual(total, journeys!.filter(({ type }) => type === "Level").length)
  })

  const steps = [
    { id: "s", name: "Start" },
    { id: "l", name: "Level" },
    { id: "b", name: ["Buy"] }
  ]
  const conversionWindow = { step: "hour", value: 6 }
  const funnel = { time: week, steps, conversionWindow }

  it("answers a funnel, and the units behind each of its numbers", async () => {
    const answer = await game.query("funnels/execute", { ...funnel, options: { display: "overTime" } })
    assert.strictEqual(answer.status, 200)
    assert.deepStrictEqual(Object.keys(answer.body).sort(), ["display", "meta", "series"])
    const [series] = answer.body.series
    assert.deepStrictEqual(Object.keys(series).sort(), ["breakdown", "overTime", "overallConversion", "steps"])
    assert.deepStrictEqual(Object.keys(series.steps[1]).sort(), [
      "averageSeconds",
      "conversionFromFirst",
      "conversionFromPrevious",
      "count",
      "id",
      "medianSeconds",
      "name"
    ])
    assert.deepStrictEqual(
      [series.steps[0].count, series.steps[0].averageSeconds, series.steps[2].name],
      [4, null, ["Buy"]]
    )
    assert.deepStrictEqual(Object.keys(series.overTime[0]).sort(), [
      "bucket",
      "complete",
      "converted",
      "entered",
      "rate"
    ])
    for (const [step, { count }] of series.steps.entries()) {
      const units: Array<string> = []
      let cursor: string | null = ""
      while (cursor !== null) {
        const path = `funnels/users?limit=3${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`
        const page = await game.query(path, { ...funnel, step, outcome: "converted" })
        assert.deepStrictEqual(Object.keys(page.body).sort(), ["items", "nextCursor"])
        units.push(...page.body.items.map(({ unitId }: { unitId: string }) => unitId))
        cursor = page.body.nextCursor
      }
      assert.deepStrictEqual([units.length, units], [count, [...new Set(units)].sort()])
    }
  })

  it("C7: warns of names that were never seen, with the nearest", async () => {
    const filters = [{ source: "argument", name: "prise", operator: "isSet" }]
    const wrong = await insight({ metrics: [metric("A", { name: "Levle" })], filters })
    assert.deepStrictEqual(
      wrong.body.meta.warnings.map(({ kind, name, nearest }: Record<string, unknown>) => [kind, name, nearest]),
      [
        ["marker", "Levle", "Level"],
        ["argument", "prise", "price"]
      ]
    )
    const start = { name: "Nothing like it" }
    const retained = await game.query("retention/execute", { time: week, start, interval: "day", intervals: 2 })
    assert.deepInclude(retained.body.meta.warnings[0], { kind: "marker", name: start.name, nearest: null })
    assert.notProperty((await insight({ metrics: [metric("A", {})] })).body.meta, "warnings")
  })

  it("C6: answers insights with whether each bucket is over", async () => {
    const from = new Date(Date.now() - 1.5 * day).toISOString()
    const now = await insight({
      time: { step: "day", timezone: "UTC", from, to: new Date(Date.now() + 1).toISOString() },
      metrics: [metric("A", {})]
    })
    const past = await insight({ metrics: [metric("A", {})] })
    assert.deepStrictEqual([now.body.complete.at(0), now.body.complete.at(-1)], [true, false])
    assert.deepStrictEqual(past.body.complete, [true, true, true, true, true, true, true])
  })

  it("C6: answers retention with a row for every period of its time and a column for every interval", async () => {
    const answer = await game.query("retention/execute", {
      time: week,
      start: { name: "Start" },
      interval: "day",
      intervals: 5,
      breakdowns: [{ source: "property", name: "platform" }]
    })
    assert.strictEqual(answer.status, 200)
    assert.deepStrictEqual(Object.keys(answer.body).sort(), ["meta", "series"])
    const [series] = answer.body.series
    assert.deepStrictEqual(Object.keys(series).sort(), ["breakdown", "cohorts", "total"])
    assert.deepStrictEqual(Object.keys(series.cohorts[0]).sort(), ["size", "start", "values"])
    assert.deepStrictEqual(
      [
        series.cohorts.length,
        series.cohorts[0].start,
        series.cohorts[0].values[0].interval,
        series.total.values.length
      ],
      [7, "2026-03-02T00:00:00.000Z", 1, 5]
    )
    assert.deepStrictEqual(Object.keys(series.total.values[0]).sort(), ["complete", "count", "interval", "rate"])
  })

  type Row = readonly [name: string, kind: string, status: number, code: string, body: object]
  const one = { metrics: [metric("A", {})] }
  const formula = (text: string) => ({
    metrics: [metric("A", {}), { id: "B", data: { type: "formula", formula: text } }]
  })
  const filtered = (filter: object) => ({
    metrics: [metric("A", { filters: [{ source: "argument", name: "x", ...filter }] })]
  })
  const retention = { time: week, start: { name: "Start" }, interval: "day", intervals: 5 }
  const exclusion = (name: string, fromStep: number, toStep: number) => ({ exclusions: [{ name, fromStep, toStep }] })
  const rows: ReadonlyArray<Row> = [
    [
      "a time zone that does not exist",
      "insights/execute",
      422,
      "TIME_ZONE_UNKNOWN",
      { ...one, time: { ...week, timezone: "Mars/Base" } }
    ],
    [
      "a range upside down",
      "insights/execute",
      422,
      "TIME_RANGE_INVALID",
      { ...one, time: range("2026-03-02T00:00:00Z", "2026-03-01T00:00:00Z") }
    ],
    [
      "an instant without offset",
      "insights/execute",
      400,
      "VALIDATION_FAILED",
      { ...one, time: range("2026-03-02T00:00:00", "2026-03-01T00:00:00Z") }
    ],
    [
      "an argument that no marker of the type has",
      "insights/execute",
      422,
      "REFERENCE_INVALID",
      { metrics: [metric("A", { type: "sum", argument: "prize" })] }
    ],
    [
      "too many periods",
      "insights/execute",
      422,
      "QUERY_LIMIT_EXCEEDED",
      { ...one, time: range("2016-01-01T00:00:00Z", "2026-01-01T00:00:00Z", { step: "hour" }) }
    ],
    [
      "16 metrics",
      "insights/execute",
      422,
      "QUERY_LIMIT_EXCEEDED",
      { metrics: Array.from({ length: 16 }, (_, i) => metric(`M${i}`, {})) }
    ],
    ["no metrics", "insights/execute", 400, "VALIDATION_FAILED", { metrics: [] }],
    [
      "formulas alone",
      "insights/execute",
      422,
      "QUERY_INVALID",
      { metrics: [{ id: "A", data: { type: "formula", formula: "1" } }] }
    ],
    [
      "two metrics of one id",
      "insights/execute",
      422,
      "QUERY_INVALID",
      { metrics: [metric("A", {}), metric("A", {})] }
    ],
    [
      "a sum without argument",
      "insights/execute",
      400,
      "VALIDATION_FAILED",
      { metrics: [metric("A", { type: "sum" })] }
    ],
    [
      "a percentile of 101",
      "insights/execute",
      400,
      "VALIDATION_FAILED",
      { metrics: [metric("A", { type: "percentile", argument: "x", percentile: 101 })] }
    ],
    ["a formula that breaks off", "insights/execute", 422, "FORMULA_INVALID", formula("A +")],
    ["a formula of an unknown metric", "insights/execute", 422, "FORMULA_INVALID", formula("A + Z")],
    ["a formula of itself", "insights/execute", 422, "FORMULA_INVALID", formula("A + B")],
    [
      "formulas that go round in a circle",
      "insights/execute",
      422,
      "FORMULA_INVALID",
      {
        metrics: [
          metric("A", {}),
          { id: "B", data: { type: "formula", formula: "A + C" } },
          { id: "C", data: { type: "formula", formula: "2 * B" } }
        ]
      }
    ],
    ["a formula that would run code", "insights/execute", 422, "FORMULA_INVALID", formula("process.exit()")],
    [
      "a comparison with a text",
      "insights/execute",
      422,
      "QUERY_INVALID",
      filtered({ operator: "greaterThan", value: "x" })
    ],
    [
      "a between upside down",
      "insights/execute",
      422,
      "QUERY_INVALID",
      filtered({ operator: "between", value: [2, 1] })
    ],
    ["an operator without its value", "insights/execute", 400, "VALIDATION_FAILED", filtered({ operator: "is" })],
    ["an unknown operator", "insights/execute", 400, "VALIDATION_FAILED", filtered({ operator: "like", value: 1 })],
    [
      "an unknown cohort",
      "insights/execute",
      422,
      "REFERENCE_INVALID",
      { ...one, filters: [{ source: "cohort", name: "7", operator: "isIn", value: [7] }] }
    ],
    [
      "an unknown experiment",
      "insights/execute",
      422,
      "REFERENCE_INVALID",
      { ...one, breakdowns: [{ source: "experiment", name: "7" }] }
    ],
    [
      "three breakdowns",
      "insights/execute",
      400,
      "VALIDATION_FAILED",
      { ...one, breakdowns: ["a", "b", "c"].map((name) => ({ source: "argument", name })) }
    ],
    ["one step", "funnels/execute", 400, "VALIDATION_FAILED", { ...funnel, steps: steps.slice(1, 2) }],
    [
      "33 steps",
      "funnels/execute",
      422,
      "QUERY_LIMIT_EXCEEDED",
      { ...funnel, steps: Array.from({ length: 33 }, () => steps[0]) }
    ],
    [
      "an optional last step",
      "funnels/execute",
      422,
      "QUERY_INVALID",
      { ...funnel, steps: [steps[0], { ...steps[1], optional: true }] }
    ],
    ["an exclusion backwards", "funnels/execute", 400, "VALIDATION_FAILED", { ...funnel, ...exclusion("Quit", 2, 1) }],
    ["an exclusion of a step", "funnels/execute", 400, "VALIDATION_FAILED", { ...funnel, ...exclusion("Level", 0, 2) }],
    [
      "an unordered exclusion of a part",
      "funnels/execute",
      400,
      "VALIDATION_FAILED",
      { ...funnel, order: "unordered", ...exclusion("Quit", 0, 1) }
    ],
    [
      "an attribution past the last step",
      "funnels/execute",
      422,
      "QUERY_INVALID",
      { ...funnel, breakdownAttribution: { step: 3 } }
    ],
    ["dropping at the first step", "funnels/users", 422, "QUERY_INVALID", { ...funnel, step: 0, outcome: "dropped" }],
    [
      "brackets with a gap",
      "retention/execute",
      422,
      "QUERY_INVALID",
      {
        ...retention,
        criterion: {
          brackets: [
            [1, 2],
            [4, 5]
          ]
        }
      }
    ],
    [
      "dating by the return of a bracket",
      "retention/execute",
      422,
      "QUERY_INVALID",
      { ...retention, dateBy: "return", criterion: "onOrAfter" }
    ],
    ["181 intervals", "retention/execute", 400, "VALIDATION_FAILED", { ...retention, intervals: 181 }]
  ]

  it.each(rows)("refuses %s", async (_name, kind, status, code, body) => {
    const answer = await game.query(kind, { time: week, ...body })
    assert.deepStrictEqual([answer.status, answer.body.code], [status, code], answer.text)
    assert.deepStrictEqual(Object.keys(answer.body).sort(), envelopeKeys)
    assert.isAbove(answer.body.message.length, 10)
  })

  it("needs an environment of the project", async () => {
    const answers = [
      await game.query("insights/execute", { time: week, ...one }, { environment_id: "987654" }),
      await game.query("insights/execute", { time: week, ...one }, { environment_id: "x" }),
      await game.query("insights/execute", { time: week, ...one }, { environment_id: "" })
    ]
    assert.deepStrictEqual(
      answers.map(({ status, body }) => [status, body.code]),
      [
        [404, "ENVIRONMENT_NOT_FOUND"],
        [400, "VALIDATION_FAILED"],
        [400, "VALIDATION_FAILED"]
      ]
    )
  })

  it("takes a secret key", async () => {
    const headers = { cookie: "", authorization: `Bearer ${game.secretKey}` }
    assert.strictEqual((await game.query("insights/execute", { time: week, ...one }, headers)).status, 200)
  })
})

describe("the day on which weeks begin", () => {
  const week = { step: "week", from: "2026-03-04T10:00:00Z", to: "2026-03-11T00:00:00Z" }
  const starts = async (settings: object) => {
    const { request } = testApp(stores[0][1], settings)
    const studio = await openStudio(request, "weeks")
    const game = await gameOf(request, studio)
    const insight = await game.query("insights/execute", { time: week, metrics: [metric("A", {})] })
    const retained = await game.query("retention/execute", {
      time: week,
      start: { name: "Level" },
      interval: "week",
      intervals: 2
    })
    const rows: ReadonlyArray<{ start: string }> = retained.body.series[0].cohorts
    assert.deepStrictEqual(
      rows.map((row) => row.start),
      insight.body.buckets
    )
    return insight.body.buckets.map((bucket: string) => bucket.slice(0, 10))
  }

  it("is Sunday", async () => assert.deepStrictEqual(await starts({}), ["2026-03-01", "2026-03-08"]))

  it("may be set", async () => assert.deepStrictEqual(await starts({ weekStart: 1 }), ["2026-03-02", "2026-03-09"]))
})
