import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Encoding } from "effect"
import { stores } from "../../support/Stores.ts"
import type { Answer } from "../../support/TestApp.ts"
import { envelopeKeys, testApp } from "../../support/TestApp.ts"
import { type MarkerStudio, markerStudioOf } from "../../support/analytics/MarkerStudio.ts"
import { start, minute, week, marker, keysOf } from "../../support/analytics/SentMarkers.ts"

const rawKeys = [
  "arguments",
  "clamped",
  "markerId",
  "position",
  "properties",
  "receivedAt",
  "sequence",
  "sessionId",
  "timestamp",
  "type",
  "unitId"
]

describe.each(stores)("raw markers over %s", (_, store) => {
  const { request } = testApp(store, { retentionDays: 36_500 })
  let studio: MarkerStudio["studio"]
  let at: MarkerStudio["at"]
  let send: MarkerStudio["send"]

  const raw = (more: object = {}): Promise<Answer> => at("raw").post({ ...week, ...more })

  beforeAll(async () => {
    ;({ studio, at, send } = await markerStudioOf(request, "ada"))
  })

  it("lists the markers themselves, newest first, by type, unit and filters", async () => {
    const { status, body } = await raw()
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(keysOf(body), ["items", "nextCursor"])
    for (const each of body.items) assert.deepStrictEqual(keysOf(each), rawKeys)
    const sequences = async (more: object) =>
      (await raw(more)).body.items.map(({ sequence }: { sequence: number }) => sequence)
    assert.deepStrictEqual(await sequences({}), [5, 4, 3, 2, 6, 1])
    assert.isNull(body.nextCursor)
    const { receivedAt, markerId, ...newest } = body.items[0]
    assert.match(receivedAt, /^\d{4}-.*\.\d{3}Z$/)
    assert.match(markerId, /^[0-9a-f-]{36}$/)
    assert.deepStrictEqual(newest, {
      sequence: 5,
      type: "Level",
      unitId: "u2",
      sessionId: "s1",
      timestamp: "2026-03-02T00:04:00.000Z",
      clamped: false,
      arguments: { number: 4, mode: "hard", tags: ["a", "b"] },
      properties: { platform: "ios" },
      position: null
    })
    assert.deepStrictEqual(body.items[4].position, [1, 2, 3])
    assert.isNull(body.items[4].unitId)
    assert.deepStrictEqual(await sequences({ types: ["$start", "Nothing"] }), [6])
    assert.deepStrictEqual(await sequences({ unitId: "u1" }), [3, 2, 1])
    assert.deepStrictEqual(await sequences({ from: "2026-03-02T00:01:00Z", to: "2026-03-02T00:03:00Z" }), [3, 2])
    const hard = { source: "argument", name: "mode", operator: "is", value: "hard" }
    const web = { source: "property", name: "platform", operator: "is", value: "web" }
    assert.deepStrictEqual(await sequences({ filters: [hard, web] }), [])
    assert.deepStrictEqual(await sequences({ filters: [hard, web], match: "any" }), [5, 3, 6, 1])
  })

  it("pages are stable while markers come in", async () => {
    const seen: Array<number> = []
    let cursor: string | null = null
    do {
      const { body } = await raw({ types: ["Level"], limit: 2, cursor })
      seen.push(...body.items.map(({ sequence }: { sequence: number }) => sequence))
      assert.isAtMost(body.items.length, 2)
      cursor = body.nextCursor
      await send([marker("Level", start + 2 * minute, { properties: { late: true } })])
    } while (cursor !== null)
    assert.deepStrictEqual(seen, [5, 4, 3, 2, 1])
    assert.strictEqual((await raw({ types: ["Level"] })).body.items.length, 8)
  })

  it.each([
    ["another type", { types: ["Purchase"] }],
    ["no type at all", { types: undefined }],
    ["one player", { unitId: "u1" }],
    ["another range", { to: "2026-03-02T00:03:00Z" }],
    ["a filter more", { filters: [{ source: "argument", name: "mode", operator: "is", value: "hard" }] }],
    ["any of the filters", { match: "any" }]
  ])("C5: a cursor goes on with no other question: %s", async (_, other) => {
    const first = { types: ["Level"], limit: 2 }
    const { nextCursor } = (await raw(first)).body
    assert.strictEqual((await raw({ ...first, cursor: nextCursor })).status, 200)
    const answer = await raw({ ...first, ...other, cursor: nextCursor })
    assert.deepStrictEqual([answer.status, answer.body.code], [400, "CURSOR_INVALID"])
  })

  const text = (json: string) => Encoding.encodeBase64Url(json)
  it.each([
    ["a cursor of no listing", { cursor: "nonsense" }, 400, "CURSOR_INVALID"],
    ["an empty cursor", { cursor: "" }, 400, "CURSOR_INVALID"],
    ["a cursor that is no base64", { cursor: "§§" }, 400, "CURSOR_INVALID"],
    ["a cursor of other numbers", { cursor: text("[1,2]") }, 400, "CURSOR_INVALID"],
    ["a cursor with a fraction", { cursor: text("[1,2.5,3]") }, 400, "CURSOR_INVALID"],
    ["an inverted range", { from: week.to, to: week.from }, 422, "TIME_RANGE_INVALID"],
    ["an empty range", { to: week.from }, 422, "TIME_RANGE_INVALID"],
    ["no range", { from: undefined }, 400, "VALIDATION_FAILED"],
    ["a time without offset", { from: "2026-03-02T00:00:00" }, 400, "VALIDATION_FAILED"],
    ["a limit of 0", { limit: 0 }, 400, "VALIDATION_FAILED"],
    ["a limit of 1001", { limit: 1001 }, 400, "VALIDATION_FAILED"],
    ["no type of a list", { types: [] }, 400, "VALIDATION_FAILED"],
    [
      "a comparison with text",
      { filters: [{ source: "argument", name: "mode", operator: "greaterThan", value: "x" }] },
      422,
      "QUERY_INVALID"
    ],
    [
      "a cohort that is not there",
      { filters: [{ source: "cohort", name: "1", operator: "isIn", value: [1] }] },
      422,
      "REFERENCE_INVALID"
    ]
  ])("refuses a listing with %s", async (_case, more, status, code) => {
    const answer = await raw(more)
    assert.deepStrictEqual([answer.status, answer.body.code], [status, code])
    assert.deepStrictEqual(keysOf(answer.body), envelopeKeys)
  })

  it.each([
    "arguments/values",
    "properties/values",
    "arguments/values?name=",
    "arguments/values?name=mode&limit=0",
    "properties/values?name=platform&limit=1001",
    "arguments?type="
  ])("refuses %s as it lacks a name or breaks a limit", async (path) => {
    const answer = await at(path).get()
    assert.deepStrictEqual([answer.status, answer.body.code], [400, "VALIDATION_FAILED"])
  })

  it("have every name that a game sent, also those that objects have of themselves, and so has their player", async () => {
    const value = '{"__proto__":1,"constructor":[2],"toString":"x"}'
    const properties = '{"__proto__":"p","hasOwnProperty":true}'
    await send([
      marker("Named", start, { value: JSON.parse(value), properties: JSON.parse(properties), userId: "named" })
    ])
    const [found] = (await raw({ types: ["Named"] })).body.items
    const { body } = await request("GET", `/application/${studio.applicationId}/players/named`, {
      headers: { ...studio.cookie, environment_id: String(studio.development) }
    })
    for (const each of [found, body.recentMarkers[0]]) {
      assert.strictEqual(JSON.stringify(each.arguments), value)
      assert.strictEqual(JSON.stringify(each.properties), properties)
    }
    assert.strictEqual(JSON.stringify(body.profile), properties)
  })
})
