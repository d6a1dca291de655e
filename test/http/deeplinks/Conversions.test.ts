import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { DeeplinkId } from "../../../src/domain/Ids.ts"
import { ClickRepo } from "../../../src/ports/deeplinks/ClickRepo.ts"
import { keysOf, refused } from "../../support/Caller.ts"
import { type Game, gameOf } from "../../support/game/Game.ts"
import { type DeeplinkStudio, deeplinkStudioOf } from "../../support/deeplinks/DeeplinkStudio.ts"
import { stores } from "../../support/Stores.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

const desktop = "Mozilla/5.0 (X11; Linux x86_64) Chrome/126.0"

const day = 86_400_000

describe.each(stores)("conversions of deeplinks over %s", (label, store) => {
  const { request, run } = testApp(store, { publicUrl: "https://links.example", trustProxy: true })
  let studio: DeeplinkStudio["studio"]
  let call: DeeplinkStudio["call"]
  let define: DeeplinkStudio["define"]
  let click: DeeplinkStudio["click"]
  let conversions: DeeplinkStudio["conversions"]
  let game: Game

  const clicked = async (slug: string, headers: Record<string, string> = {}) => {
    const location = new URL((await click(slug, headers)).headers.get("location") ?? "")
    return location.searchParams.get("gk_click") ?? ""
  }
  const login = (distinctId: string, interactionId: string, more: object = {}) =>
    game.send([
      {
        markerId: crypto.randomUUID(),
        timestamp: Date.now(),
        eventName: "Login",
        distinctId,
        properties: { deeplinkData: { id: "x", interactionId } },
        ...more
      }
    ])

  beforeAll(async () => {
    ;({ studio, call, define, click, conversions } = await deeplinkStudioOf(request, label))
    game = await gameOf(request, studio)
  })

  it("convert once for each click and unit, however often the marker is sent", async () => {
    const { id, slug } = await define()
    const interactionId = await clicked(slug, { referer: "https://www.reddit.com/r/x", "cf-ipcountry": "fr" })
    await clicked(slug, { "user-agent": desktop, "x-forwarded-for": "198.51.100.7" })
    const marker = { markerId: crypto.randomUUID(), timestamp: Date.now() + 1000 }
    for (let time = 0; time < 3; time++) await login("u1", interactionId, marker)
    await login("u1", interactionId)
    await login("u2", interactionId)
    await game.send([
      {
        markerId: "x",
        timestamp: Date.now(),
        eventName: "Login",
        distinctId: "u3",
        properties: { gk_click: interactionId }
      }
    ])
    const body = await conversions(id)
    assert.deepStrictEqual(keysOf(body), ["items", "nextCursor", "overTime", "sources", "totals"])
    assert.deepStrictEqual(body.totals, {
      clicks: 2,
      uniqueClicks: 2,
      conversions: 3,
      conversionRate: 150,
      users: 3,
      newUsers: 3,
      revenue: 0
    })
    assert.deepStrictEqual(
      body.sources,
      [
        { value: null, clicks: 1, uniqueClicks: 1, conversions: 0, conversionRate: 0 },
        { value: "reddit.com", clicks: 1, uniqueClicks: 1, conversions: 3, conversionRate: 300 }
      ].toSorted((a, b) => b.conversions - a.conversions)
    )
    const byUnit = new Map(body.items.map((item: { unitId: string }) => [item.unitId, item]))
    assert.deepStrictEqual([...byUnit.keys()].toSorted(), ["u1", "u2", "u3"])
    const first = byUnit.get("u1") as Record<string, unknown>
    assert.deepInclude(first, { matchType: "interactionId", matchGuaranteed: true })
    assert.deepStrictEqual(keysOf(first), [
      "clickedAt",
      "convertedAt",
      "matchGuaranteed",
      "matchType",
      "secondsToConvert",
      "unitId"
    ])
    assert.strictEqual(body.nextCursor, null)
    assert.strictEqual((await call("GET", `/${id}`)).body.conversions, 3)
    const countries = await conversions(id, "?breakdown=country")
    assert.sameMembers(
      countries.sources.map(({ value }: { value: string | null }) => value),
      ["FR", null]
    )
    const devices = await conversions(id, "?breakdown=device")
    assert.sameMembers(
      devices.sources.map(({ value }: { value: string }) => value),
      ["phone", "desktop"]
    )
  })

  it("convert at their earliest marker, in whatever order the markers arrive", async () => {
    const { id, slug } = await define()
    const interactionId = await clicked(slug)
    const earliest = Date.now() + 60_000
    for (const timestamp of [earliest + 240_000, earliest, earliest + 120_000]) {
      await login("late", interactionId, { timestamp })
    }
    const { totals, items } = await conversions(id)
    assert.strictEqual(totals.conversions, 1)
    assert.deepStrictEqual(
      items.map(({ unitId, convertedAt }: { unitId: string; convertedAt: string }) => [
        unitId,
        Date.parse(convertedAt)
      ]),
      [["late", earliest]]
    )
  })

  it("convert only by their marker, in their window and project", async () => {
    const { id, slug } = await define({ attributionWindowHours: 1, conversionMarker: "Join" })
    const interactionId = await clicked(slug)
    const other = await openStudio(request, `mallory-${label}`)
    const foreign = await gameOf(request, other)
    const marker = { eventName: "Join", distinctId: "u1", properties: { gk_click: interactionId } }
    await foreign.send([{ ...marker, markerId: "x", timestamp: Date.now() }])
    await login("u1", interactionId)
    await login("u1", "no-such-click", { eventName: "Join" })
    await login("u1", interactionId, { eventName: "Join", timestamp: Date.now() - 3_600_000 })
    await login("u1", interactionId, { eventName: "Join", distinctId: undefined })
    assert.strictEqual((await conversions(id)).totals.conversions, 0)
    await login("u1", interactionId, { eventName: "Join" })
    assert.strictEqual((await conversions(id)).totals.conversions, 1)
    const production = { ...studio.cookie, environment_id: String(studio.production) }
    const development = { ...studio.cookie, environment_id: String(studio.development) }
    assert.strictEqual((await call("GET", `/${id}`, undefined, production)).body.conversions, 0)
    assert.strictEqual((await call("GET", `/${id}`, undefined, development)).body.conversions, 1)
  })

  it("tell users who were there before from new ones, and what they paid", async () => {
    const { id, slug } = await define()
    const soon = () => Date.now() + 60_000
    const marker = (eventName: string, distinctId: string, timestamp: number, properties: object) => ({
      markerId: crypto.randomUUID(),
      eventName,
      distinctId,
      timestamp,
      properties
    })
    await game.send([marker("Purchase", "veteran", Date.now() - day, { price: 50 })])
    const interactionId = await clicked(slug)
    await login("veteran", interactionId)
    await login("novice", interactionId)
    await game.send([
      marker("Purchase", "veteran", soon(), { price: 4.99 }),
      marker("Subscribed", "novice", soon(), { revenue: "10.01", price: 3 }),
      marker("ShopOpened", "novice", soon(), { price: 3 }),
      marker("Purchase", "stranger", soon(), { price: 100 })
    ])
    const { totals } = await conversions(id)
    assert.deepInclude(totals, { users: 2, newUsers: 1, revenue: 15 })
  })

  it("can be followed from click to purchase by a funnel", async () => {
    const { id, slug } = await define()
    for (const unit of ["a", "b"]) {
      const interactionId = await clicked(slug)
      await login(unit, interactionId)
    }
    const purchase = {
      markerId: "x",
      timestamp: Date.now(),
      eventName: "Purchase",
      distinctId: "a",
      properties: {}
    }
    await game.send([purchase])
    const filters = [{ source: "argument", name: "deeplinkId", operator: "is", value: id }]
    const answer = await game.query("funnels/execute", {
      time: { step: "day", relative: { step: "day", value: 2 }, timezone: "UTC" },
      conversionWindow: { step: "day", value: 7 },
      steps: [
        { id: "click", name: "$deeplinkClick", filters },
        { id: "login", name: "Login" },
        { id: "purchase", name: "Purchase" }
      ]
    })
    assert.deepStrictEqual(
      answer.body.series[0].steps.map((step: { count: number }) => step.count),
      [2, 2, 1]
    )
  })

  it("show conversions page by page, in the range that is asked for", async () => {
    const { id, slug } = await define()
    const interactionId = await clicked(slug)
    for (const unit of ["a", "b", "c"]) await login(unit, interactionId)
    const seen: Array<string> = []
    let cursor: string | null = ""
    while (cursor !== null) {
      const body: { items: ReadonlyArray<{ unitId: string }>; nextCursor: string | null } = await conversions(
        id,
        `?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`
      )
      seen.push(...body.items.map(({ unitId }) => unitId))
      cursor = body.nextCursor
    }
    assert.deepStrictEqual(seen.toSorted(), ["a", "b", "c"])
    const to = new Date(Date.now() - day).toISOString()
    const from = new Date(Date.now() - 3 * day).toISOString()
    const past = await conversions(id, `?from=${from}&to=${to}`)
    assert.deepStrictEqual([past.totals.clicks, past.items], [0, []])
    assert.isAtLeast(past.overTime.length, 2)
    const hours = await conversions(id, "?step=hour")
    const total = hours.overTime.reduce((sum: number, { clicks }: { clicks: number }) => sum + clicks, 0)
    assert.strictEqual(total, 1)
    refused(await call("GET", `/${id}/conversions?from=${to}&to=${from}`), 422, "TIME_RANGE_INVALID")
    const forged = [`[1e999,"a","b",1]`, `[1,"a","b"]`, `[1,"a","b",0]`, `[1,"a\\u0000","b",1]`, `[1,"a","\\ud800",1]`]
    for (const each of ["x", ...forged.map((text) => Buffer.from(text).toString("base64url"))])
      refused(await call("GET", `/${id}/conversions?cursor=${each}`), 400, "VALIDATION_FAILED")
    refused(await call("GET", `/${id}/conversions?step=year`), 400, "VALIDATION_FAILED")
    refused(await call("GET", `/${id}/conversions?breakdown=city`), 400, "VALIDATION_FAILED")
  })

  it("count what is paid in the window that the link has as its click converts", async () => {
    const { id } = await define({ attributionWindowHours: 24 })
    const [hour, clickedAt, interactionId] = [day / 24, Date.now() - 2 * day, crypto.randomUUID()]
    const facts = { visitor: "v", source: null, country: null, device: "phone" as const }
    const earlier = { ...facts, interactionId, deeplinkId: DeeplinkId.make(id), clickedAt, expiresAt: clickedAt + hour }
    await run(Effect.flatMap(ClickRepo, (clicks) => clicks.record([earlier])))
    const paid = {
      markerId: crypto.randomUUID(),
      eventName: "Purchase",
      distinctId: "longer",
      properties: { price: 5 }
    }
    await login("longer", interactionId, { timestamp: clickedAt + 2 * hour })
    await game.send([{ ...paid, timestamp: clickedAt + 3 * hour }])
    assert.deepInclude((await conversions(id)).totals, { conversions: 1, revenue: 5 })
  })
})
