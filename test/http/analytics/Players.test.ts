import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { EventStoreSqlite } from "../../../src/adapters/sqlite/analytics/EventStore.ts"
import { SqliteMetadata } from "../../../src/adapters/sqlite/Sqlite.ts"
import { EnvironmentId } from "../../../src/domain/Ids.ts"
import { ServerStateRepo } from "../../../src/ports/game/ServerStateRepo.ts"
import { analystOf } from "../../support/analytics/Analyst.ts"
import { atLeast, type CohortAnalyst, cohortAnalystOf } from "../../support/cohorts/CohortAnalyst.ts"
import { bearer, joinAs, keysOf, refused } from "../../support/Caller.ts"
import { type Game, gameOf } from "../../support/game/Game.ts"
import { stores } from "../../support/Stores.ts"
import type { Request, Studio } from "../../support/access/Studio.ts"
import { mintKey, openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"
import { threads } from "../../support/Workers.ts"

const hour = 3_600_000

const marker = (eventName: string, distinctId: string, at: number, properties: object = {}) => ({
  markerId: crypto.randomUUID(),
  eventName,
  distinctId,
  sessionId: `session-of-${distinctId}`,
  timestamp: Date.now() - at,
  properties
})

/** How one studio's programmer looks at players of the development environment. */
const desk = (request: Request, studio: Studio) => {
  const call = (method: string, path: string, headers: Record<string, string> = {}) =>
    request(method, `/application/${studio.applicationId}/players/${path}`, {
      headers: { ...studio.cookie, environment_id: String(studio.development), ...headers }
    })
  return {
    get: (unitId: string, headers = {}) => call("GET", encodeURIComponent(unitId), headers),
    export: (unitId: string, headers = {}) => call("GET", `${encodeURIComponent(unitId)}/export`, headers),
    erase: (unitId: string, headers = {}) => call("DELETE", encodeURIComponent(unitId), headers)
  }
}

const linesOf = (text: string) =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

describe.each(stores)("players over %s", (label, store) => {
  const { request, run } = testApp(store)
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

  it("G2: are erased from results of stored executions and from states of game servers", async () => {
    const gone = `player-${label}-to-forget`
    await game.send([marker("Trade", "zed", hour, { partner: gone }), marker("Trade", gone, hour, { partner: "zed" })])
    const queries = analystOf(request, studio)
    const time = { step: "month", timezone: "UTC", relative: { step: "month", value: 2 } }
    const metrics = [{ id: "A", visible: true, data: { name: "Trade", type: "totalEvents" } }]
    const resultOf = async (breakdowns: ReadonlyArray<object>) => {
      const saved = await queries.save({ name: "Trades", queryType: "insight", spec: { time, metrics, breakdowns } })
      const { executionId } = (await queries.ask(saved.body.id)).body
      const { body } = await queries.reached(saved.body.id, executionId, "succeeded", "failed")
      assert.strictEqual(body.state, "succeeded")
      return { text: JSON.stringify(body), state: () => queries.state(saved.body.id, executionId) }
    }
    const naming = await resultOf([{ source: "argument", name: "partner" }])
    const plain = await resultOf([])
    assert.include(naming.text, gone)
    const report = (serverId: string, metadata: object) =>
      request("POST", `/sdk/v1/servers/roblox/${serverId}`, {
        headers: { authorization: game.publicKey, isstudio: "true", serverid: serverId, sdkversion: "4.2.0" },
        body: { players: [1], metadata }
      })
    assert.strictEqual((await report("naming", { best: gone })).status, 200)
    assert.strictEqual((await report("plain", { best: "zed" })).status, 200)
    const stateOf = (serverId: string) =>
      run(Effect.flatMap(ServerStateRepo, (states) => states.find(EnvironmentId.make(studio.development), serverId)))
    assert.isTrue(Option.isSome(await stateOf("naming")))

    assert.strictEqual((await players.erase(gone)).status, 200)
    assert.strictEqual((await naming.state()).status, 404)
    assert.strictEqual((await plain.state()).body.state, "succeeded")
    assert.deepStrictEqual(
      [Option.isSome(await stateOf("naming")), Option.isSome(await stateOf("plain"))],
      [false, true]
    )
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

describe("an erased player on disk", () => {
  const folder = mkdtempSync(join(tmpdir(), "erase-"))
  const folderStores = Layer.merge(
    SqliteMetadata(join(folder, "metadata.sqlite")),
    EventStoreSqlite({ file: join(folder, "events.sqlite"), threads, dedupeDays: 7, cacheBytes: 1e6, budget: 30_000 })
  )
  const { request, close } = testApp(folderStores)
  afterAll(() => rmSync(folder, { recursive: true }))

  const filesWith = (text: string) =>
    readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(text))

  it("leaves no byte of its id in any file", async () => {
    const studio = await openStudio(request, "ada")
    const game = await gameOf(request, studio)
    const players = desk(request, studio)
    const gone = "unit-7c1b5f0e-to-be-forgotten"
    for (let round = 0; round < 6; round++) {
      const crowd = Array.from({ length: 900 }, (_, index) =>
        marker("Login", `unit-${index}`, (index + round) * 1000, { playerName: `name ${index}`, round })
      )
      await game.send([...crowd, marker("Login", gone, round * hour, { playerName: gone, tags: [gone, "x"] })])
      if (round % 2 === 0) await game.query("insights/execute", {})
    }
    const analyst = cohortAnalystOf(request, studio)
    const dynamic = await analyst.define("Dynamic", atLeast(6, "Login"))
    const listed = await analyst.list("Static", [gone, "unit-1", "never-seen"])
    assert.deepStrictEqual([dynamic.memberCount, listed.memberCount], [901, 3])
    assert.isNotEmpty(filesWith(gone))
    const erased = await players.erase(gone)
    assert.deepStrictEqual(erased.body.erased, { markers: 6, cohortMemberships: 2, assignments: 0, clicks: 0 })
    refused(await players.get(gone), 404, "PLAYER_NOT_FOUND")
    assert.deepStrictEqual(filesWith(gone), [])
    assert.strictEqual(await game.count("Login"), 5400)
    assert.deepStrictEqual(await analyst.unitIds(listed.id), ["never-seen", "unit-1"])
    const { body } = await analyst.call("GET", `/${dynamic.id}/membership?userId=${gone}`)
    assert.deepStrictEqual([body.isMember, body.enteredAt], [false, null])
    await close()
    assert.deepStrictEqual(filesWith(gone), [])
  })
})
