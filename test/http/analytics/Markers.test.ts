import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Encoding } from "effect"
import { stores } from "../../support/Stores.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { joinStudio, mintKey, mintPersonalToken, openStudio } from "../../support/access/Studio.ts"
import type { Answer, Call } from "../../support/TestApp.ts"
import { envelopeKeys, testApp } from "../../support/TestApp.ts"

const start = Date.parse("2026-03-02T00:00:00Z")
const minute = 60_000
const week = { from: "2026-03-02T00:00:00Z", to: "2026-03-09T00:00:00Z" }

let serial = 0
const marker = (type: string, at: number, rest: object = {}) => ({
  markerId: `00000000-0000-4000-8000-${String(++serial).padStart(12, "0")}`,
  timestamp: at,
  type,
  value: {},
  properties: { platform: "ios" },
  ...rest
})

const keysOf = (value: object) => Object.keys(value).sort()
const typeKeys = [
  "arguments",
  "count30d",
  "description",
  "displayName",
  "firstSeenAt",
  "isBuiltin",
  "lastSeenAt",
  "name",
  "status"
]
const fieldKeys = ["dataType", "decimals", "description", "lastSeenAt", "markerTypes", "name", "unit"]
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

interface Named {
  readonly name: string
}
const byName = <A extends Named>(records: ReadonlyArray<A>, name: string) => records.find((each) => each.name === name)

describe.each(stores)("markers over %s", (_, store) => {
  const { request } = testApp(store, { retentionDays: 36_500 })
  let studio: Studio
  let publicKey: string

  const at = (path: string, environmentId = studio.development, headers: Record<string, string> = studio.cookie) => {
    const call = (method: string, rest: Call = {}) =>
      request(method, `/application/${studio.applicationId}/analytics/v1/markers/${path}`, {
        ...rest,
        headers: { environment_id: String(environmentId), ...headers }
      })
    return {
      get: () => call("GET"),
      put: (body: unknown) => call("PUT", { body }),
      post: (body: unknown) => call("POST", { body })
    }
  }
  const send = (markers: ReadonlyArray<object>) =>
    request("POST", "/sdk/v1/markers", { headers: { authorization: publicKey }, body: { markers } })
  const raw = (more: object = {}): Promise<Answer> => at("raw").post({ ...week, ...more })

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
    publicKey = await mintKey(request, studio, { type: "public" })
    const level = (index: number) =>
      marker("Level", start + index * minute, {
        value: { number: index, mode: index % 2 === 0 ? "hard" : "easy", tags: ["a", "b"] },
        userId: index < 3 ? "u1" : "u2",
        sessionId: "s1"
      })
    const answer = await send([
      ...Array.from({ length: 5 }, (_each, index) => level(index)),
      marker("$start", start, { value: { number: "one" }, properties: { platform: "web", position: [1, 2, 3] } })
    ])
    assert.strictEqual(answer.body.ingestedMarkersCount, 6)
  })

  it("lists the types that were seen, built-in ones marked", async () => {
    const { status, body } = await at("types").get()
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(
      body.map(({ name }: Named) => name),
      ["$start", "Level"]
    )
    for (const each of body) assert.deepStrictEqual(keysOf(each), typeKeys)
    const { count30d, ...level } = body[1]
    assert.isNumber(count30d)
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

  describe("what people say of them", () => {
    const put = (body: unknown) => at("metadata", studio.production).put(body)
    const types = async () => (await at("types", studio.production).get()).body
    const pending = async () => (await at("types/pending", studio.production).get()).body
    const argumentsOf = async (query = "") => (await at(`arguments${query}`, studio.production).get()).body
    const sendLive = (markers: ReadonlyArray<object>) =>
      request("POST", "/sdk/v1/markers", {
        headers: { authorization: publicKey, environment: "production" },
        body: { markers }
      })

    it("describes types never seen, which are pending until the first marker", async () => {
      const { status, body } = await put({ types: [{ name: "Boss", displayName: "Boss fight", description: "hard" }] })
      const boss = {
        name: "Boss",
        description: "hard",
        displayName: "Boss fight",
        status: "pending",
        isBuiltin: false,
        firstSeenAt: null,
        lastSeenAt: null,
        count30d: 0,
        arguments: 0
      }
      assert.deepStrictEqual([status, body], [200, { types: [boss], arguments: [] }])
      assert.deepStrictEqual(await pending(), [boss])
      assert.deepStrictEqual(await types(), [boss])
      assert.deepStrictEqual((await at("types/pending").get()).body, [], "in its own environment only")
      await sendLive([marker("Boss", start, { value: { health: 5 } })])
      assert.deepStrictEqual(await pending(), [])
      const [seen] = await types()
      assert.deepStrictEqual(
        [seen.status, seen.displayName, seen.arguments, seen.firstSeenAt],
        ["active", "Boss fight", 1, "2026-03-02T00:00:00.000Z"]
      )
    })

    it("hides a type whether it was seen or not, and shows it again", async () => {
      await put({
        types: [
          { name: "Boss", hidden: true },
          { name: "$unseen", hidden: true }
        ]
      })
      assert.deepStrictEqual(await pending(), [])
      assert.deepStrictEqual(
        (await types()).map((each: { name: string; status: string }) => [each.name, each.status]),
        [
          ["$unseen", "hidden"],
          ["Boss", "hidden"]
        ]
      )
      await put({
        types: [
          { name: "Boss", hidden: false },
          { name: "$unseen", hidden: false }
        ]
      })
      const [unseen, boss] = await types()
      assert.deepStrictEqual([unseen.status, unseen.isBuiltin, boss.status], ["pending", true, "active"])
    })

    it("leaves what is left out, and clears what is null", async () => {
      await put({ types: [{ name: "Boss", description: null }] })
      const { body } = await put({ types: [{ name: "Boss" }] })
      assert.deepStrictEqual([body.types[0].displayName, body.types[0].description], ["Boss fight", null])
      assert.deepStrictEqual((await put({})).body, { types: [], arguments: [] })
    })

    it("describes arguments of one type, seen or not", async () => {
      const { status, body } = await put({
        arguments: [
          { type: "Boss", name: "health", description: "left", unit: "hp", decimals: 1 },
          { type: "Boss", name: "name", description: "who" },
          { type: "Raid", name: "health", unit: "hp", decimals: 0 }
        ]
      })
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(keysOf(body.arguments[0]), fieldKeys)
      assert.deepStrictEqual(body.arguments, [
        {
          name: "health",
          dataType: "number",
          markerTypes: ["Boss"],
          description: "left",
          unit: "hp",
          decimals: 1,
          lastSeenAt: "2026-03-02T00:00:00.000Z"
        },
        {
          name: "name",
          dataType: "string",
          markerTypes: ["Boss"],
          description: "who",
          unit: null,
          decimals: null,
          lastSeenAt: null
        },
        {
          name: "health",
          dataType: "number",
          markerTypes: ["Raid"],
          description: null,
          unit: "hp",
          decimals: 0,
          lastSeenAt: null
        }
      ])
      assert.deepStrictEqual(
        body.types.map(({ name }: Named) => name),
        ["Boss", "Raid"]
      )
      assert.deepStrictEqual(
        (await pending()).map(({ name }: Named) => name),
        ["$unseen", "Raid"]
      )
      assert.deepStrictEqual(await argumentsOf("?type=Boss"), body.arguments.slice(0, 2))
      const [health] = await argumentsOf()
      assert.deepStrictEqual(health, {
        name: "health",
        dataType: "number",
        markerTypes: ["Boss", "Raid"],
        description: "left",
        unit: "hp",
        decimals: null,
        lastSeenAt: "2026-03-02T00:00:00.000Z"
      })
    })

    it.each([
      ["a type without a name", { types: [{ displayName: "x" }] }],
      ["an empty name", { types: [{ name: "" }] }],
      ["a display name too long", { types: [{ name: "Boss", displayName: "x".repeat(101) }] }],
      ["hidden as text", { types: [{ name: "Boss", hidden: "yes" }] }],
      ["an argument without a type", { arguments: [{ name: "health" }] }],
      ["decimals of -1", { arguments: [{ type: "Boss", name: "health", decimals: -1 }] }],
      ["decimals of 1.5", { arguments: [{ type: "Boss", name: "health", decimals: 1.5 }] }],
      ["an empty unit", { arguments: [{ type: "Boss", name: "health", unit: "" }] }],
      ["one bad entry among good ones", { types: [{ name: "Good" }, { name: 1 }] }]
    ])("refuses %s and changes nothing", async (_case, body) => {
      const before = [await types(), await argumentsOf()]
      const answer = await put(body)
      assert.deepStrictEqual([answer.status, answer.body.code], [400, "VALIDATION_FAILED"])
      assert.deepStrictEqual([await types(), await argumentsOf()], before)
    })
  })
})
