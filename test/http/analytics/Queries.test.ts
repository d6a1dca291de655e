import { assert, beforeAll, describe, it } from "@effect/vitest"
import { day } from "../../support/analytics/FewMarkers.ts"
import type { Game } from "../../support/game/Game.ts"
import { gameOf } from "../../support/game/Game.ts"
import { stores } from "../../support/Stores.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"
import { week, metric, journeys, markerOf } from "../../support/analytics/Journeys.ts"

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
    assert.deepStrictEqual(Object.keys(answer.body).sort(), ["display", "meta", "series", "time"])
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
    assert.deepStrictEqual(Object.keys(series.total.values[0]).sort(), [
      "complete",
      "count",
      "interval",
      "rate",
      "size"
    ])
  })
  const one = { metrics: [metric("A", {})] }

  it("takes a secret key", async () => {
    const headers = { cookie: "", authorization: `Bearer ${game.secretKey}` }
    assert.strictEqual((await game.query("insights/execute", { time: week, ...one }, headers)).status, 200)
  })
})
