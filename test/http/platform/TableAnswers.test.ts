import { assert, beforeAll, describe, it } from "@effect/vitest"
import { parse } from "csv-parse/sync"
import type { Game } from "../../support/game/Game.ts"
import { gameOf } from "../../support/game/Game.ts"
import { MemoryStores } from "../../../src/app/Layers.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"
import { journeys, markerOf, metric, week } from "../../support/analytics/Journeys.ts"

const csv = { accept: "text/csv" }

const rowsOf = (text: string): ReadonlyArray<Record<string, string>> => parse(text, { columns: true })

describe("answers as tables", () => {
  const { request } = testApp(MemoryStores)
  let studio: Studio
  let game: Game

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
    game = await gameOf(request, studio)
    await game.send(journeys!.map(markerOf))
  })

  const both = async (kind: string, body: object) => {
    const [json, table] = [await game.query(`${kind}/execute`, body), await game.query(`${kind}/execute`, body, csv)]
    assert.deepStrictEqual([json.status, table.status], [200, 200])
    assert.deepStrictEqual(
      [table.headers.get("content-type"), table.headers.get("vary")],
      ["text/csv; charset=utf-8", "accept"]
    )
    return { answer: json.body, rows: rowsOf(table.text) }
  }

  it("are a row for each bucket of each series of an insight", async () => {
    const { answer, rows } = await both("insights", {
      time: week,
      metrics: [metric("A", {}), metric("B", {})],
      breakdowns: [{ source: "property", name: "platform" }],
      options: { compare: "previousPeriod" }
    })
    const expected = answer.series.flatMap(
      (series: { metricId: string; breakdown: [{ value: string }]; values: ReadonlyArray<number> }) =>
        series.values.map((value, index) => ({
          metric: series.metricId,
          "breakdown.platform": series.breakdown[0].value ?? "",
          bucket: answer.buckets[index],
          complete: String(answer.complete[index]),
          value: String(value),
          previousValue: "0"
        }))
    )
    assert.isAbove(rows.length, 7)
    assert.deepStrictEqual(rows, expected)
  })

  it("are a row for each step of a funnel", async () => {
    const { answer, rows } = await both("funnels", {
      time: week,
      steps: [
        { id: "1", name: "Login" },
        { id: "2", name: "Level" }
      ],
      conversionWindow: { step: "day", value: 1 }
    })
    assert.deepStrictEqual(
      rows.map(({ step, marker, count }) => [step, marker, count]),
      answer.series[0].steps.map(({ count }: { count: number }, index: number) => [
        String(index + 1),
        ["Login", "Level"][index],
        String(count)
      ])
    )
  })

  it("are a row for each interval of each period of retention", async () => {
    const { answer, rows } = await both("retention", {
      time: week,
      start: { name: "Login" },
      interval: "day",
      intervals: 3
    })
    assert.strictEqual(rows.length, answer.series[0].cohorts.length * 3)
    const { start, size, values } = answer.series[0].cohorts[0]
    const { interval, count, rate, complete } = values[0]
    assert.deepStrictEqual(rows[0], {
      start,
      size: String(size),
      interval: String(interval),
      count: String(count),
      rate: String(rate),
      complete: String(complete)
    })
  })

  it("are the items of a list, with the cursor to go on from", async () => {
    const players = (query: string, headers: Record<string, string>) =>
      request("GET", `/application/${studio.applicationId}/players${query}`, {
        headers: { ...studio.cookie, environment_id: String(studio.development), ...headers }
      })
    const [page, table] = [await players("?limit=2", {}), await players("?limit=2", csv)]
    assert.deepStrictEqual(
      rowsOf(table.text).map(({ unitId, markerCount }) => [unitId, Number(markerCount)]),
      page.body.items.map(({ unitId, markerCount }: { unitId: string; markerCount: number }) => [unitId, markerCount])
    )
    assert.strictEqual(table.headers.get("next-cursor"), page.body.nextCursor)
    const lines = await players("?limit=2", { accept: "application/x-ndjson" })
    assert.deepStrictEqual(
      lines.text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).unitId),
      page.body.items.map(({ unitId }: { unitId: string }) => unitId)
    )
    const parquet = await players("?limit=2", { accept: "application/vnd.apache.parquet" })
    assert.strictEqual(parquet.text.slice(0, 4), "PAR1")
    assert.isNull((await players("", csv)).headers.get("next-cursor"))
  })

  it("stay JSON where they are no list, and where they refuse", async () => {
    const me = await request("GET", "/users/me", { headers: { ...studio.cookie, ...csv } })
    assert.match(me.headers.get("content-type") ?? "", /^application\/json/)
    const refused = await game.query("insights/execute", { time: week, metrics: [] }, csv)
    assert.deepStrictEqual([refused.status, refused.body.code], [400, "VALIDATION_FAILED"])
  })
})
