import { assert, beforeAll, describe, it } from "@effect/vitest"
import { parse } from "csv-parse/sync"
import { mintKey } from "../../support/access/Studio.ts"
import { bearer, refused } from "../../support/Caller.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"
import { type MarkerStudio, markerStudioOf } from "../../support/analytics/MarkerStudio.ts"
import { keysOf, marker, minute, start } from "../../support/analytics/SentMarkers.ts"

const day = 24 * 60 * minute

const linesOf = (text: string) =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

describe.each(stores)("exported markers over %s", (label, store) => {
  const { request } = testApp(store, { retentionDays: 36_500 })
  let studio: MarkerStudio["studio"]
  let at: MarkerStudio["at"]
  let send: MarkerStudio["send"]

  const exported = (query: string, headers: Record<string, string> = {}) =>
    at(`export${query}`, undefined, { ...studio.cookie, ...headers }).get()

  const sequences = async (query: string) => linesOf((await exported(query)).text).map(({ sequence }) => sequence)

  beforeAll(async () => {
    ;({ studio, at, send } = await markerStudioOf(request, `ada-${label}`))
  })

  it("are one JSON object a line, newest first", async () => {
    const answer = await exported("")
    assert.strictEqual(answer.status, 200)
    assert.match(answer.headers.get("content-type") ?? "", /^application\/x-ndjson/)
    assert.strictEqual(answer.headers.get("gamekeeper-as-of"), "6")
    assert.strictEqual(answer.headers.get("content-disposition"), 'attachment; filename="markers.ndjson"')
    const [newest, ...others] = linesOf(answer.text)
    const { markerId, receivedAt, ...rest } = newest
    assert.match(markerId, /^[0-9a-f-]{36}$/)
    assert.match(receivedAt, /Z$/)
    assert.deepStrictEqual(rest, {
      sequence: 5,
      type: "Level",
      unitId: "u2",
      sessionId: "s1",
      serverId: null,
      timestamp: "2026-03-02T00:04:00.000Z",
      clamped: false,
      x: null,
      y: null,
      z: null,
      arguments: { number: 4, mode: "hard", tags: ["a", "b"] },
      properties: { platform: "ios" }
    })
    assert.deepStrictEqual(
      others.map(({ sequence }) => sequence),
      [4, 3, 2, 6, 1]
    )
    assert.deepStrictEqual([others[3].x, others[3].y, others[3].z], [1, 2, 3])
  })

  it("are a table that spreadsheets read", async () => {
    const { headers, text } = await exported("?format=csv")
    assert.strictEqual(headers.get("content-type"), "text/csv; charset=utf-8")
    const rows: ReadonlyArray<Record<string, string>> = parse(text, { columns: true })
    assert.strictEqual(rows.length, 6)
    assert.deepStrictEqual(JSON.parse(rows[0]?.["arguments"] ?? ""), { number: 4, mode: "hard", tags: ["a", "b"] })
    assert.strictEqual((await exported("", { accept: "text/csv" })).text, text)
  })

  it("are a Parquet file", async () => {
    const { status, headers, text } = await exported("?format=parquet")
    assert.deepStrictEqual([status, headers.get("content-type")], [200, "application/vnd.apache.parquet"])
    assert.deepStrictEqual([text.slice(0, 4), text.slice(-4)], ["PAR1", "PAR1"])
  })

  it("are those that the query chooses", async () => {
    assert.deepStrictEqual(await sequences("?types=$start"), [6])
    assert.deepStrictEqual(await sequences("?types=$start&types=Level&unitId=u1"), [3, 2, 1])
    assert.deepStrictEqual(await sequences("?from=2026-03-02T00:01:00Z&to=2026-03-02T00:03:00Z"), [3, 2])
    const hard = encodeURIComponent(
      JSON.stringify([{ source: "argument", name: "mode", operator: "is", value: "hard" }])
    )
    assert.deepStrictEqual(await sequences(`?filters=${hard}`), [5, 3, 1])
    assert.deepStrictEqual(await sequences("?types=Nothing"), [])
  })

  it("go on through many pages, and leave out what came after the instant that is asked for", async () => {
    const many = Array.from({ length: 2100 }, (_, index) => marker("Tick", start + 2 * day + index, { userId: "t" }))
    for (let from = 0; from < many.length; from += 500) await send(many.slice(from, from + 500))
    const { body } = await at("export/days").get()
    assert.deepStrictEqual(keysOf(body), ["asOf", "days"])
    assert.deepStrictEqual(body, {
      asOf: 2106,
      days: [
        { day: "2026-03-02", from: "2026-03-02T00:00:00.000Z", to: "2026-03-03T00:00:00.000Z", markers: 6 },
        { day: "2026-03-04", from: "2026-03-04T00:00:00.000Z", to: "2026-03-04T00:00:02.100Z", markers: 2100 }
      ]
    })
    await send([marker("Tick", start + 2 * day, { userId: "late" })])
    const all = Array.from({ length: 2100 }, (_, index) => 2106 - index)
    assert.deepStrictEqual(await sequences(`?types=Tick&asOf=${body.asOf}`), all)
    assert.strictEqual((await sequences("?types=Tick")).length, 2101)
    assert.deepStrictEqual((await at("export/days?types=Level&to=2026-03-02T00:02:00Z").get()).body.days, [
      { day: "2026-03-02", from: "2026-03-02T00:00:00.000Z", to: "2026-03-02T00:02:00.000Z", markers: 2 }
    ])
  })

  it("are none in an environment without any", async () => {
    const { text, headers } = await at("export", studio.production).get()
    assert.deepStrictEqual([text, headers.get("gamekeeper-as-of")], ["", "0"])
    assert.deepStrictEqual((await at("export/days", studio.production).get()).body, { asOf: 0, days: [] })
  })

  it.each([
    ["?from=2026-03-03T00:00:00Z&to=2026-03-02T00:00:00Z", 422, "TIME_RANGE_INVALID"],
    ["?format=xlsx", 400, "VALIDATION_FAILED"],
    ["?since=2026-03-03T00:00:00Z", 400, "VALIDATION_FAILED"],
    ["?filters=[{}]", 400, "VALIDATION_FAILED"]
  ])("refuses %s", async (query, status, code) => {
    refused(await exported(query), status, code)
  })

  it("are refused to keys that may not read markers", async () => {
    const key = await mintKey(request, studio, { permissions: ["sdk:ingest"] })
    refused(await at("export", undefined, bearer(key)).get(), 403, "FORBIDDEN")
    refused(await at("export/days", undefined, bearer(key)).get(), 403, "FORBIDDEN")
  })
})
