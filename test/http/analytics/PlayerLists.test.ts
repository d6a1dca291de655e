import { assert, beforeAll, describe, it } from "@effect/vitest"
import { desk, hour, marker } from "../../support/analytics/PlayerDesk.ts"
import { type CohortAnalyst, cohortAnalystOf } from "../../support/cohorts/CohortAnalyst.ts"
import { bearer, joinAs, keysOf, refused } from "../../support/Caller.ts"
import { type Game, gameOf } from "../../support/game/Game.ts"
import { stores } from "../../support/Stores.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { mintKey, openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

const idsOf = ({ body }: { readonly body: { readonly items: ReadonlyArray<{ readonly unitId: string }> } }) =>
  body.items.map(({ unitId }) => unitId)

const filters = (...conditions: ReadonlyArray<object>) => `filters=${encodeURIComponent(JSON.stringify(conditions))}`

const country = (...value: ReadonlyArray<string>) => ({ source: "property", name: "country", operator: "is", value })

describe.each(stores)("lists of players over %s", (label, store) => {
  const { request } = testApp(store)
  let studio: Studio
  let game: Game
  let players: ReturnType<typeof desk>
  let analyst: CohortAnalyst
  let raiders: number

  beforeAll(async () => {
    studio = await openStudio(request, `ada-${label}`)
    game = await gameOf(request, studio)
    players = desk(request, studio)
    analyst = cohortAnalystOf(request, studio)
    await game.send([
      marker("Login", "ann", 9 * hour, { platform: "ios", country: "FR" }),
      marker("Login", "ann", hour, { platform: "android" }),
      marker("Login", "Ann", 8 * hour, { country: "DE" }),
      marker("Login", "anton", 7 * hour, { platform: "ios", country: "FR" }),
      marker("Login", "anton", 6 * hour, { country: "DE" }),
      marker("Login", "anton", 5 * hour),
      marker("Login", "bob", 2 * hour, { platform: "web" })
    ])
    raiders = (await analyst.list("Raiders", ["bob", "anton", "never-seen"])).id
  })

  it("show each player with the properties asked for, whoever was seen last first", async () => {
    const { status, body } = await players.list("?properties=country&properties=platform&properties=unknown")
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(keysOf(body), ["items", "nextCursor"])
    assert.deepStrictEqual(keysOf(body.items[0]), ["firstSeenAt", "lastSeenAt", "markerCount", "profile", "unitId"])
    assert.deepStrictEqual(
      body.items.map(({ unitId, markerCount, profile }: Record<string, unknown>) => [unitId, markerCount, profile]),
      [
        ["ann", 2, { country: "FR", platform: "android" }],
        ["bob", 1, { platform: "web" }],
        ["anton", 3, { country: "DE", platform: "ios" }],
        ["Ann", 1, { country: "DE" }]
      ]
    )
    const { firstSeenAt, lastSeenAt, markerCount } = (await players.get("ann")).body
    assert.deepInclude(body.items[0], { firstSeenAt, lastSeenAt, markerCount })
    assert.deepStrictEqual((await players.list("?properties=country&limit=1")).body.items[0].profile, { country: "FR" })
    assert.deepStrictEqual((await players.list("?limit=1")).body.items[0].profile, {})
  })

  it("answer each question with exactly these players, in this order", async () => {
    const either = filters(country("FR"), { source: "property", name: "platform", operator: "is", value: "web" })
    const inRaid = { source: "cohort", name: "cohort", operator: "isIn", value: [raiders] }
    const notInRaid = { ...inRaid, operator: "isNotIn" }
    const cases: ReadonlyArray<readonly [query: string, expected: ReadonlyArray<string>]> = [
      ["?search=an", ["ann", "anton"]],
      ["?search=An", ["Ann"]],
      ["?search=nn", []],
      [`?search=${encodeURIComponent("%")}`, []],
      [`?cohortId=${raiders}`, ["bob", "anton"]],
      [`?cohortId=${raiders}&search=a`, ["anton"]],
      [`?${filters(country("DE"))}`, ["anton", "Ann"]],
      [`?${filters(country("DE"))}&cohortId=${raiders}`, ["anton"]],
      [`?${either}`, []],
      [`?${either}&match=any`, ["ann", "bob"]],
      [`?${either}&match=any&cohortId=${raiders}`, ["bob"]],
      [`?${filters()}&match=any`, ["ann", "bob", "anton", "Ann"]],
      [`?${filters(inRaid)}`, ["bob", "anton"]],
      [`?${filters(notInRaid)}`, ["ann", "Ann"]],
      ["?sort=lastSeen&direction=ascending", ["Ann", "anton", "bob", "ann"]],
      ["?sort=firstSeen", ["bob", "anton", "Ann", "ann"]],
      ["?sort=firstSeen&direction=ascending", ["ann", "Ann", "anton", "bob"]],
      ["?sort=markerCount", ["anton", "ann", "bob", "Ann"]],
      ["?sort=markerCount&direction=ascending", ["Ann", "bob", "ann", "anton"]],
      ["?sort=unitId", ["Ann", "ann", "anton", "bob"]],
      ["?sort=unitId&direction=descending", ["bob", "anton", "ann", "Ann"]]
    ]
    for (const [query, expected] of cases) assert.deepStrictEqual(idsOf(await players.list(query)), expected, query)
  })

  it("go on page by page with a cursor that belongs to its question", async () => {
    for (const order of [
      "sort=lastSeen",
      "sort=markerCount&direction=ascending",
      "sort=unitId&search=an",
      "sort=firstSeen"
    ]) {
      const whole = idsOf(await players.list(`?${order}`))
      const paged: Array<string> = []
      let cursor = ""
      do {
        const page = await players.list(`?${order}&limit=1${cursor}`)
        paged.push(...idsOf(page))
        cursor = page.body.nextCursor === null ? "" : `&cursor=${page.body.nextCursor}`
      } while (cursor !== "")
      assert.deepStrictEqual(paged, whole, order)
    }
    const { nextCursor } = (await players.list("?limit=1")).body
    assert.strictEqual((await players.list(`?limit=3&properties=country&cursor=${nextCursor}`)).status, 200)
    for (const other of [
      "?sort=unitId",
      "?search=a",
      "?direction=ascending",
      `?cohortId=${raiders}`,
      `?${filters(country("DE"))}`
    ])
      refused(await players.list(`${other}&cursor=${nextCursor}`), 400, "CURSOR_INVALID")
    refused(await players.list("?cursor=eyJhIjoxfQ"), 400, "CURSOR_INVALID")
    refused(
      await players.list(`?cursor=${nextCursor}`, { environment_id: String(studio.production) }),
      400,
      "CURSOR_INVALID"
    )
  })

  it("refuse what makes no sense, and say what", async () => {
    const cases: ReadonlyArray<readonly [query: string, status: number, code: string]> = [
      ["?sort=name", 400, "VALIDATION_FAILED"],
      ["?direction=up", 400, "VALIDATION_FAILED"],
      ["?limit=0", 400, "VALIDATION_FAILED"],
      ["?limit=1001", 400, "VALIDATION_FAILED"],
      ["?search=", 400, "VALIDATION_FAILED"],
      ["?cohortId=x", 400, "VALIDATION_FAILED"],
      ["?filters=country", 400, "VALIDATION_FAILED"],
      [`?${filters({ source: "argument", name: "level", operator: "isSet" })}`, 400, "VALIDATION_FAILED"],
      [`?${filters({ source: "property", name: "country", operator: "is" })}`, 400, "VALIDATION_FAILED"],
      [
        `?${filters({ source: "property", name: "level", operator: "greaterThan", value: "high" })}`,
        422,
        "QUERY_INVALID"
      ],
      ["?cohortId=999999", 422, "REFERENCE_INVALID"],
      [`?${filters({ source: "cohort", name: "c", operator: "isIn", value: [999_999] })}`, 422, "REFERENCE_INVALID"]
    ]
    for (const [query, status, code] of cases) refused(await players.list(query), status, code)
  })

  it("leave out who was erased, and know nothing of other environments", async () => {
    await game.send([marker("Login", "eve", hour)])
    assert.include(idsOf(await players.list("?search=e")), "eve")
    await players.erase("eve")
    assert.deepStrictEqual(idsOf(await players.list("?search=e")), [])
    assert.notInclude(idsOf(await players.list("?sort=unitId")), "eve")
    const elsewhere = { environment_id: String(studio.production) }
    assert.deepStrictEqual((await players.list("", elsewhere)).body, { items: [], nextCursor: null })
  })

  it("show the value by which a player is found, whatever is empty since", async () => {
    await game.send([
      marker("Login", "zoe", 4 * hour, { platform: "ps5", country: "BR" }),
      marker("Login", "zoe", 3 * hour, { platform: "", country: "PT" })
    ])
    const onConsole = { source: "property", name: "platform", operator: "is", value: "ps5" }
    const { body } = await players.list(`?${filters(onConsole)}&properties=platform&properties=country`)
    assert.deepStrictEqual(idsOf({ body }), ["zoe"])
    assert.deepStrictEqual(body.items[0].profile, { country: "PT", platform: "ps5" })
    assert.deepStrictEqual((await players.get("zoe")).body.profile, { country: "PT", platform: "ps5" })
  })

  it("are read with players:read, in their own project", async () => {
    const viewer = await joinAs(request, studio, `viewer-${label}`, "Viewer")
    const reader = bearer(await mintKey(request, studio, { permissions: ["players:read"] }))
    const stranger = bearer(await mintKey(request, studio, { permissions: ["markers:read"] }))
    for (const headers of [viewer.cookie, { cookie: "", ...reader }])
      assert.strictEqual((await players.list("", headers)).status, 200)
    refused(await players.list("", { cookie: "", ...stranger }), 403, "FORBIDDEN")
    const other = await openStudio(request, `mallory-${label}`)
    refused(await players.list("", other.cookie), 404, "APPLICATION_NOT_FOUND")
  })
})
