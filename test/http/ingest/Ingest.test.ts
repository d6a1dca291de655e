import { assert, beforeAll, describe, it } from "@effect/vitest"
import { randomUUID } from "node:crypto"
import { gzipSync } from "node:zlib"
import type { Game } from "../../support/game/Game.ts"
import { gameOf } from "../../support/game/Game.ts"
import { stores } from "../../support/Stores.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { mintKey, openStudio } from "../../support/access/Studio.ts"
import { envelopeKeys, testApp } from "../../support/TestApp.ts"
import { countKeys, freshType, marker, now, resultKeys } from "../../support/ingest/NewMarkers.ts"

describe.each(stores)("markers in over %s", (_, store) => {
  const { request } = testApp(store)
  let studio: Studio
  let game: Game

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
    game = await gameOf(request, studio)
  })

  it("answers exactly the counts, which are disjoint and add up", async () => {
    const type = freshType()
    const repeated = marker({ type })
    const old = marker({ type, timestamp: Date.now() - 401 * 86_400_000 })
    const answer = await game.send([repeated, marker({ type }), repeated, old, { type }, "no marker"])
    assert.strictEqual(answer.status, 200)
    assert.deepStrictEqual(Object.keys(answer.body).sort(), [...resultKeys].sort())
    const { message, environment, rejectedMarkers, duplicateMarkers, staleMarkers, clampedMarkers, ...counts } =
      answer.body
    assert.strictEqual(message, "2 markers stored")
    assert.strictEqual((await game.send([marker({ type: freshType() })])).body.message, "1 marker stored")
    assert.deepStrictEqual(environment, { id: studio.development, alias: "development" })
    assert.deepStrictEqual(
      [duplicateMarkers, staleMarkers, clampedMarkers],
      [[{ index: 2, markerId: repeated.markerId }], [{ index: 3, markerId: old.markerId }], []]
    )
    assert.deepStrictEqual(counts, {
      ingestedMarkersCount: 2,
      rejectedMarkersCount: 2,
      duplicateMarkersCount: 1,
      staleMarkersCount: 1
    })
    assert.deepStrictEqual(
      rejectedMarkers.map(({ index, markerId, code }: Record<string, unknown>) => [index, markerId, code]),
      [
        [4, null, "INVALID_TIMESTAMP"],
        [5, null, "NOT_AN_OBJECT"]
      ]
    )
    assert.strictEqual(await game.count(type), 2)
  })

  it("B8: names the environment that took the markers, and every duplicate, stale and clamped marker by its place", async () => {
    const type = freshType()
    const stored = marker({ type })
    await game.send([stored])
    const late = marker({ type, timestamp: Date.now() - 401 * 86_400_000, markerId: "late" })
    const early = marker({ type, timestamp: Date.now() + 86_400_000 })
    const { body } = await game.send([late, marker({ type }), early, stored, early, { type }])
    assert.deepStrictEqual(
      [body.environment, body.duplicateMarkers, body.staleMarkers, body.clampedMarkers],
      [
        { id: studio.development, alias: "development" },
        [
          { index: 3, markerId: stored.markerId },
          { index: 4, markerId: early.markerId }
        ],
        [{ index: 0, markerId: "late" }],
        [{ index: 2, markerId: early.markerId }]
      ]
    )
    const live = await game.send([marker({ type })], { environment: "production" })
    assert.deepStrictEqual(live.body.environment, { id: studio.production, alias: "production" })
  })

  it("B8: flags clamped markers in lists of markers and in the export of their player", async () => {
    const type = freshType()
    const early = marker({ type, timestamp: Date.now() + 86_400_000, userId: type })
    const punctual = marker({ type, userId: type })
    await game.send([early, punctual])
    const headers = { ...studio.cookie, environment_id: String(studio.development) }
    const project = `/application/${studio.applicationId}`
    const range = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) }
    const raw = await request("POST", `${project}/analytics/v1/markers/raw`, {
      headers,
      body: { ...range, types: [type] }
    })
    const exported = await request("GET", `${project}/players/${type}/export`, { headers })
    const flags = (records: ReadonlyArray<{ markerId: string; clamped: boolean }>) =>
      Object.fromEntries(records.map(({ markerId, clamped }) => [markerId, clamped]))
    const expected = { [early.markerId]: true, [punctual.markerId]: false }
    assert.deepStrictEqual(flags(raw.body.items), expected)
    const lines = exported.text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    assert.deepStrictEqual(flags(lines.filter(({ record }) => record === "marker")), expected)
  })

  it("takes the three dialects in one batch", async () => {
    const [a, b, c] = [freshType(), freshType(), freshType()]
    const answer = await game.send([
      { markerId: randomUUID(), timestamp: now(), eventName: a, distinctId: "p1", properties: { score: 5 } },
      { markerId: randomUUID(), timestamp: Date.now(), eventName: b, userId: "p1", serverId: "s", properties: {} },
      { markerId: randomUUID(), timestamp: Date.now() / 1000, type: c, value: { score: 7 }, userId: 1, properties: {} }
    ])
    assert.strictEqual(answer.body.ingestedMarkersCount, 3)
    assert.deepStrictEqual([await game.count(a), await game.count(b), await game.count(c)], [1, 1, 1])
  })

  it("stores a repeated batch once", async () => {
    const type = freshType()
    const batch = [marker({ type }), marker({ type })]
    await game.send(batch)
    const upper = batch.map((each) => ({ ...each, markerId: each.markerId.replaceAll("-", "").toUpperCase() }))
    const again = await game.send(upper)
    assert.deepStrictEqual(
      [again.status, again.body.duplicateMarkersCount, again.body.ingestedMarkersCount],
      [200, 2, 0]
    )
    assert.strictEqual(await game.count(type), 2)
  })

  it("gives markers without a UUID fresh ids, so none is a duplicate", async () => {
    const type = freshType()
    const batch = Array.from({ length: 5 }, () => marker({ type, markerId: "same" }))
    assert.strictEqual((await game.send(batch)).body.ingestedMarkersCount, 5)
    assert.strictEqual((await game.send(batch)).body.ingestedMarkersCount, 5)
    assert.strictEqual(await game.count(type), 10)
  })

  it("clamps what lies in the future to now, where queries find it", async () => {
    const type = freshType()
    await game.send([marker({ type, timestamp: Date.now() + 86_400_000 })])
    assert.strictEqual(await game.count(type), 1)
  })

  it("refuses a batch of which every marker is rejected, with the counts beside the envelope", async () => {
    const answer = await game.send([{ markerId: "mine" }, 7])
    assert.deepStrictEqual(
      [answer.status, answer.body.code, answer.body.errorCode],
      [400, "INVALID_MARKERS", "INVALID_MARKERS"]
    )
    assert.deepStrictEqual(Object.keys(answer.body).sort(), [...envelopeKeys, "errorCode", ...countKeys].sort())
    assert.deepStrictEqual([answer.body.rejectedMarkersCount, answer.body.rejectedMarkers[0].markerId], [2, "mine"])
  })

  it("goes to the environment that the headers name", async () => {
    const { production, development } = studio
    const cases: ReadonlyArray<readonly [Record<string, string>, number]> = [
      [{}, development],
      [{ isstudio: "true" }, development],
      [{ isstudio: "false" }, production],
      [{ environment: "production" }, production],
      [{ environment: "Production", isstudio: "true" }, production],
      [{ environment: "studio" }, development],
      [{ environment: "development", isstudio: "false" }, development],
      [{ "project-id": String(studio.applicationId), isstudio: "false" }, production]
    ]
    for (const [headers, environmentId] of cases) {
      const type = freshType()
      assert.strictEqual((await game.send([marker({ type })], headers)).status, 200, JSON.stringify(headers))
      const counts = [await game.count(type, production), await game.count(type, development)]
      assert.deepStrictEqual(counts, environmentId === production ? [1, 0] : [0, 1], JSON.stringify(headers))
    }
  })

  it("finds an environment that was created a moment ago, and loses one that was removed", async () => {
    const type = freshType()
    const headers = { authorization: `Bearer ${game.secretKey}`, environment: "staging" }
    assert.strictEqual((await game.send([marker({ type })], headers)).status, 404)
    const created = await request("POST", `/application/${studio.applicationId}/environments`, {
      headers: studio.cookie,
      body: { name: "Staging" }
    })
    assert.strictEqual((await game.send([marker({ type })], headers)).status, 403)
    const key = await mintKey(request, studio, { permissions: ["sdk:ingest"], environmentIds: [created.body.id] })
    const own = { authorization: `Bearer ${key}`, environment: "staging" }
    assert.strictEqual((await game.send([marker({ type })], own)).status, 200)
    const path = `/application/${studio.applicationId}/environments/${created.body.id}`
    await request("DELETE", path, { headers: studio.cookie })
    assert.strictEqual((await game.send([marker({ type })], own)).status, 404)
  })

  it("takes gzip", async () => {
    const type = freshType()
    const answer = await request("POST", "/sdk/v1/markers", {
      headers: { authorization: game.publicKey, "content-type": "application/json", "content-encoding": "gzip" },
      raw: gzipSync(JSON.stringify({ markers: [marker({ type })] }))
    })
    assert.deepStrictEqual([answer.status, await game.count(type)], [200, 1])
  })
})
