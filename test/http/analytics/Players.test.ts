import { assert, beforeAll, describe, it } from "@effect/vitest"
import { desk, hour, marker } from "../../support/analytics/PlayerDesk.ts"
import { atLeast, type CohortAnalyst, cohortAnalystOf } from "../../support/cohorts/CohortAnalyst.ts"
import { bearer, joinAs, keysOf, refused } from "../../support/Caller.ts"
import { type Game, gameOf } from "../../support/game/Game.ts"
import { stores } from "../../support/Stores.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { mintKey, openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

const linesOf = (text: string) =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

describe.each(stores)("players over %s", (label, store) => {
  const { request } = testApp(store)
  let studio: Studio
  let game: Game
  let players: ReturnType<typeof desk>
  let analyst: CohortAnalyst

  beforeAll(async () => {
    studio = await openStudio(request, `ada-${label}`)
    game = await gameOf(request, studio)
    players = desk(request, studio)
    analyst = cohortAnalystOf(request, studio)
  })

  it("are shown with the latest value of each property and what they did last", async () => {
    await game.send([
      marker("Login", "ann", 3 * hour, { platform: "ios", country: "FR", level: 1 }),
      marker("Login", "ann", hour, { platform: "android", level: 9 }),
      marker("Login", "bob", 2 * hour, { platform: "web" })
    ])
    const { status, body } = await players.get("ann")
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(keysOf(body), [
      "assignments",
      "cohorts",
      "firstSeenAt",
      "lastSeenAt",
      "markerCount",
      "profile",
      "recentMarkers",
      "unitId"
    ])
    assert.deepStrictEqual(body.profile, { country: "FR", platform: "android" })
    assert.deepStrictEqual([body.unitId, body.markerCount, body.cohorts, body.assignments], ["ann", 2, [], []])
    assert.isBelow(Date.parse(body.firstSeenAt), Date.parse(body.lastSeenAt))
    assert.deepStrictEqual(
      body.recentMarkers.map((each: { arguments: { level: number } }) => each.arguments.level),
      [9, 1]
    )
    refused(await players.get("nobody"), 404, "PLAYER_NOT_FOUND")
    refused(await players.get("ann", { environment_id: String(studio.production) }), 404, "PLAYER_NOT_FOUND")
  })

  it("are exported whole, one record a line", async () => {
    const many = Array.from({ length: 2500 }, (_, index) => marker("Tick", "tim", index * 1000, { index }))
    for (let from = 0; from < many.length; from += 500) await game.send(many.slice(from, from + 500))
    const answer = await players.export("tim")
    assert.strictEqual(answer.status, 200)
    assert.match(answer.headers.get("content-type") ?? "", /^application\/x-ndjson/)
    const [player, ...markers] = linesOf(answer.text)
    assert.deepStrictEqual(player, { record: "player", unitId: "tim", profile: {} })
    assert.deepStrictEqual(
      markers.map((each) => [each.record, each.unitId, each.arguments.index]),
      many.map((_, index) => ["marker", "tim", index])
    )
    refused(await players.export("nobody"), 404, "PLAYER_NOT_FOUND")
  })

  it("are erased: nothing is found of them, the past is refused when it is sent again, the future is not", async () => {
    const past = [marker("Login", "eve", hour), marker("Login", "eve", 2 * hour)]
    await game.send([...past, marker("Login", "adam", hour)])
    const before = await game.count("Login")
    const erased = await players.erase("eve")
    assert.strictEqual(erased.status, 200)
    assert.deepStrictEqual(keysOf(erased.body), ["erased", "erasedAt", "unitId"])
    assert.deepStrictEqual(erased.body.erased, { markers: 2, cohortMemberships: 0, assignments: 0, clicks: 0 })
    assert.strictEqual(await game.count("Login"), before - 2)
    refused(await players.get("eve"), 404, "PLAYER_NOT_FOUND")
    refused(await players.export("eve"), 404, "PLAYER_NOT_FOUND")
    refused(await players.erase("eve"), 404, "PLAYER_NOT_FOUND")
    const fresh = past.map((each) => ({ ...each, markerId: crypto.randomUUID() }))
    const again = await game.send([...past, ...fresh, marker("Login", "adam", 3 * hour)])
    assert.strictEqual(again.status, 200)
    assert.deepInclude(again.body, { ingestedMarkersCount: 1, rejectedMarkersCount: 4, duplicateMarkersCount: 0 })
    assert.deepStrictEqual(
      again.body.rejectedMarkers.map(({ index, code }: { index: number; code: string }) => [index, code]),
      [0, 1, 2, 3].map((index) => [index, "UNIT_ERASED"])
    )
    const lines = past.map((each) => JSON.stringify(each)).join("\n")
    assert.deepInclude((await game.fill(lines)).body, { ingestedMarkersCount: 0 })
    const later = await game.send([marker("Login", "eve", -1000)])
    assert.deepInclude(later.body, { ingestedMarkersCount: 1 })
    assert.strictEqual((await players.get("eve")).body.markerCount, 1)
  })

  it("have their clicks exported and erased", async () => {
    const links = `/application/${studio.applicationId}/deeplinks`
    const body = { name: "Link", type: "web_url", redirectUrl: "https://studio.example" }
    const { id, slug } = (await request("POST", links, { headers: studio.cookie, body })).body
    const { headers } = await request("GET", `/d/${slug}`, { headers: { "user-agent": "Mozilla/5.0 (X11)" } })
    const interactionId = new URL(headers.get("location") ?? "").searchParams.get("gk_click")
    await game.send([marker("Login", "clicker", -1000, { gk_click: interactionId })])
    const exported = linesOf((await players.export("clicker")).text)
    assert.deepStrictEqual(
      exported.map(({ record }) => record),
      ["player", "conversion", "marker", "marker"]
    )
    assert.strictEqual((await players.erase("clicker")).body.erased.clicks, 1)
    const { totals } = (await request("GET", `${links}/${id}/conversions`, { headers: studio.cookie })).body
    assert.deepInclude(totals, { clicks: 1, conversions: 0 })
  })

  it("are shown with the cohorts they belong to now, exported with those they left, and erased from both", async () => {
    await game.send([marker("Raid", "mia", hour), marker("Raid", "mia", 2 * hour), marker("Raid", "moe", hour)])
    const raiders = await analyst.define("Raiders", atLeast(1, "Raid"))
    const guests = await analyst.list("Guests", ["mia", "moe", "never-seen"])
    const former = await analyst.list("Former", ["mia", "gone"])
    const cleared = await analyst.call("PUT", `/${former.id}`, { name: "Former", kind: "static", unitIds: ["moe"] })
    assert.deepStrictEqual((await players.get("mia")).body.cohorts, [
      { id: raiders.id, name: "Raiders", enteredAt: raiders.computedAt },
      { id: guests.id, name: "Guests", enteredAt: guests.computedAt }
    ])
    const stays = linesOf((await players.export("mia")).text).filter(({ record }) => record === "cohort")
    const left = cleared.body.computedAt
    assert.deepStrictEqual(stays, [
      { record: "cohort", cohortId: raiders.id, name: "Raiders", enteredAt: raiders.computedAt, leftAt: null },
      { record: "cohort", cohortId: guests.id, name: "Guests", enteredAt: guests.computedAt, leftAt: null },
      { record: "cohort", cohortId: former.id, name: "Former", enteredAt: former.computedAt, leftAt: left }
    ])
    const { body } = await players.erase("mia")
    assert.deepStrictEqual(body.erased, { markers: 2, cohortMemberships: 3, assignments: 0, clicks: 0 })
    assert.deepStrictEqual(await analyst.unitIds(raiders.id), ["moe"])
    assert.deepStrictEqual(await analyst.unitIds(guests.id), ["moe", "never-seen"])
    assert.deepStrictEqual(await analyst.unitIds(former.id, `?at=${former.computedAt}`), ["gone"])
  })

  it("that only a cohort's list names, now or before, are exported and erased too", async () => {
    const { id, computedAt } = await analyst.list("Listed", ["stranger", "leaver"])
    await analyst.call("PUT", `/${id}`, { name: "Listed", kind: "static", unitIds: ["stranger"] })
    for (const unitId of ["stranger", "leaver"]) {
      refused(await players.get(unitId), 404, "PLAYER_NOT_FOUND")
      const records = linesOf((await players.export(unitId)).text).map(({ record }) => record)
      assert.deepStrictEqual(records, ["player", "cohort"])
      const { erased } = (await players.erase(unitId)).body
      assert.deepStrictEqual(erased, { markers: 0, cohortMemberships: 1, assignments: 0, clicks: 0 })
      refused(await players.erase(unitId), 404, "PLAYER_NOT_FOUND")
    }
    assert.deepStrictEqual(await analyst.unitIds(id), [])
    assert.deepStrictEqual(await analyst.unitIds(id, `?at=${computedAt}`), [])
  })

  it("are read with players:read and erased with players:delete, in their own project", async () => {
    await game.send([marker("Login", "zoe", hour)])
    const viewer = await joinAs(request, studio, `viewer-${label}`, "Viewer")
    const reader = bearer(await mintKey(request, studio, { permissions: ["players:read"] }))
    for (const headers of [viewer.cookie, { cookie: "", ...reader }]) {
      assert.strictEqual((await players.get("zoe", headers)).status, 200)
      refused(await players.erase("zoe", headers), 403, "FORBIDDEN")
    }
    const other = await openStudio(request, `mallory-${label}`)
    refused(await players.get("zoe", other.cookie), 404, "APPLICATION_NOT_FOUND")
    refused(await players.erase("zoe", other.cookie), 404, "APPLICATION_NOT_FOUND")
    refused(await desk(request, other).get("zoe"), 404, "PLAYER_NOT_FOUND")
    assert.strictEqual((await players.get("zoe")).status, 200)
  })
})
