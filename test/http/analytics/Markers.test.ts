import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { lastDays } from "../../../src/domain/analytics/time/LastDays.ts"
import { zoneNamed } from "../../../src/domain/Zone.ts"
import { stores } from "../../support/Stores.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { joinStudio, mintKey, mintPersonalToken } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"
import { fieldKeys, type MarkerStudio, markerStudioOf } from "../../support/analytics/MarkerStudio.ts"
import { week, keysOf, type Named, byName, marker, start } from "../../support/analytics/SentMarkers.ts"
const typeKeys = [
  "arguments",
  "count30d",
  "description",
  "displayName",
  "firstSeenAt",
  "isBuiltin",
  "lastSeenAt",
  "name",
  "perDay30",
  "status"
]
describe.each(stores)("markers over %s", (_, store) => {
  const { request } = testApp(store, { retentionDays: 36_500 })
  let studio: Studio
  let at: MarkerStudio["at"]
  let send: MarkerStudio["send"]

  beforeAll(async () => {
    ;({ studio, at, send } = await markerStudioOf(request, "ada"))
  })

  it("lists the types that were seen, built-in ones marked", async () => {
    const { status, body } = await at("types").get()
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(
      body.map(({ name }: Named) => name),
      ["$start", "Level"]
    )
    for (const each of body) assert.deepStrictEqual(keysOf(each), typeKeys)
    const { count30d, perDay30, ...level } = body[1]
    assert.isNumber(count30d)
    assert.lengthOf(perDay30, 30)
    assert.deepStrictEqual(level, {
      name: "Level",
      description: null,
      displayName: null,
      status: "active",
      isBuiltin: false,
      firstSeenAt: "2026-03-02T00:00:00.000Z",
      lastSeenAt: "2026-03-02T00:04:00.000Z",
      arguments: 3
    })
    assert.isTrue(body[0].isBuiltin)
    assert.deepStrictEqual((await at("types", studio.production).get()).body, [])
  })

  it("counts the markers of each type by the last 30 days of the project's zone", async () => {
    const path = `/application/${studio.applicationId}`
    const project = (timezone: string) => request("PATCH", path, { headers: { ...studio.cookie }, body: { timezone } })
    assert.strictEqual((await project("Asia/Kathmandu")).status, 200)
    const now = Date.now()
    const days = lastDays(Option.getOrThrow(zoneNamed("Asia/Kathmandu")), now, 30)
    // The second before and the first of the day before the last, the first of all, and one that is too old.
    for (const instant of [days[28]! - 1000, days[28]!, days[0]!, days[0]! - 1000])
      await send([marker("Counted", instant, { properties: {} })])
    const types: ReadonlyArray<Named & { readonly perDay30: ReadonlyArray<number> }> = (await at("types").get()).body
    const expected = Array.from({ length: 30 }, (_, day) => ([0, 27, 28].includes(day) ? 1 : 0))
    assert.deepStrictEqual(byName(types, "Counted")?.perDay30, expected)
    assert.strictEqual((await project("UTC")).status, 200)
  })

  it("lists arguments and properties, of all types or of one", async () => {
    const all = (await at("arguments").get()).body
    for (const each of all) assert.deepStrictEqual(keysOf(each), fieldKeys)
    assert.deepStrictEqual(
      all.map(({ name, dataType, markerTypes }: { name: string; dataType: string; markerTypes: unknown }) => [
        name,
        dataType,
        markerTypes
      ]),
      [
        ["mode", "string", ["Level"]],
        ["number", "number", ["$start", "Level"]],
        ["tags", "array", ["Level"]]
      ]
    )
    assert.deepStrictEqual((await at("arguments?type=%24start").get()).body, [
      {
        name: "number",
        dataType: "string",
        markerTypes: ["$start"],
        description: null,
        unit: null,
        decimals: null,
        lastSeenAt: "2026-03-02T00:00:00.000Z"
      }
    ])
    assert.deepStrictEqual((await at("arguments?type=Nothing").get()).body, [])
    const properties = (await at("properties").get()).body
    assert.deepStrictEqual<unknown>(byName(properties, "platform"), {
      name: "platform",
      dataType: "string",
      markerTypes: ["$start", "Level"],
      description: null,
      unit: null,
      decimals: null,
      lastSeenAt: "2026-03-02T00:04:00.000Z"
    })
  })

  it("lists values by how often they came, narrowed by type, text and number", async () => {
    assert.deepStrictEqual((await at("arguments/values?name=mode").get()).body, [
      { value: "hard", count: 3 },
      { value: "easy", count: 2 }
    ])
    assert.deepStrictEqual((await at("arguments/values?name=mode&search=EAS").get()).body, [
      { value: "easy", count: 2 }
    ])
    assert.deepStrictEqual((await at("arguments/values?name=mode&limit=1").get()).body, [{ value: "hard", count: 3 }])
    assert.deepStrictEqual((await at("arguments/values?name=number&type=%24start").get()).body, [
      { value: "one", count: 1 }
    ])
    assert.deepStrictEqual((await at("arguments/values?name=platform").get()).body, [])
    assert.deepStrictEqual((await at("properties/values?name=platform").get()).body, [
      { value: "ios", count: 5 },
      { value: "web", count: 1 }
    ])
  })

  it("a session, a personal token and a secret key read; without markers:write nobody describes", async () => {
    const permissions = ["markers:read"]
    const headers = [
      { authorization: `Bearer ${await mintPersonalToken(request, studio, { permissions })}` },
      { authorization: `Bearer ${await mintKey(request, studio, { permissions })}` },
      { ...(await joinStudio(request, studio, "eve", "Viewer")) }
    ]
    for (const each of headers) {
      const own = (path: string) => at(path, studio.production, each)
      for (const path of ["types", "types/pending", "arguments", "properties"])
        assert.strictEqual((await own(path).get()).status, 200, path)
      assert.strictEqual((await own("raw").post(week)).status, 200)
      const refused = await own("metadata").put({ types: [{ name: "Boss" }] })
      assert.deepStrictEqual([refused.status, refused.body.code], [403, "FORBIDDEN"])
    }
    assert.deepStrictEqual((await at("types", studio.production).get()).body, [])
  })
  it("finds a value that is not among the first by a part of it, whatever its case", async () => {
    const words = Array.from({ length: 250 }, (_each, index) => `Word-${index}-${index % 2 === 0 ? "even" : "odd"}`)
    const more = Array.from({ length: 3 }, () => words.slice(0, 120)).flat()
    const said = [...words, ...more].map((word) => marker("Said", start, { value: { word } }))
    assert.strictEqual((await send(said)).body.ingestedMarkersCount, said.length)
    const valuesOf = async (rest: string) => (await at(`arguments/values?name=word${rest}`).get()).body
    const first = await valuesOf("")
    assert.strictEqual(first.length, 100)
    assert.isTrue(first.every(({ count }: { readonly count: number }) => count === 4))
    assert.deepStrictEqual(await valuesOf("&search=WORD-249"), [{ value: "Word-249-odd", count: 1 }])
    assert.deepStrictEqual(await valuesOf("&search=4-e&limit=2"), [
      { value: "Word-104-even", count: 4 },
      { value: "Word-114-even", count: 4 }
    ])
    assert.deepStrictEqual(await valuesOf("&search=nothing"), [])
    assert.strictEqual((await at(`arguments/values?name=word&search=${"x".repeat(257)}`).get()).status, 400)
  })
})
