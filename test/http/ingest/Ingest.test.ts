import { assert, beforeAll, describe, it } from "@effect/vitest"
import { randomUUID } from "node:crypto"
import { gzipSync } from "node:zlib"
import type { Game } from "../../support/game/Game.ts"
import { gameOf } from "../../support/game/Game.ts"
import { stores } from "../../support/Stores.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { mintKey, openStudio } from "../../support/access/Studio.ts"
import { envelopeKeys, testApp } from "../../support/TestApp.ts"

const countKeys = [
  "clampedMarkers",
  "duplicateMarkers",
  "duplicateMarkersCount",
  "ingestedMarkersCount",
  "rejectedMarkers",
  "rejectedMarkersCount",
  "staleMarkers",
  "staleMarkersCount"
]
const resultKeys = [...countKeys, "environment", "message"]

const now = () => new Date().toISOString()
const marker = (change: object = {}) => ({
  markerId: randomUUID(),
  timestamp: now(),
  type: "Login",
  userId: 1,
  ...change
})

let markers = 0
/** A name that nothing else in this file uses. */
const freshType = () => `Type${++markers}`

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
    assert.isString(message)
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

  describe("refusals", () => {
    const good = () => ({ markers: [marker()] })
    type Row = readonly [name: string, status: number, code: string, call: () => Parameters<typeof request>[2]]
    const json = { "content-type": "application/json" }
    const rows: ReadonlyArray<Row> = [
      ["no key", 401, "UNAUTHENTICATED", () => ({ headers: { authorization: "" }, body: good() })],
      ["a key that is none", 401, "UNAUTHENTICATED", () => ({ headers: { authorization: "sdk_x" }, body: good() })],
      ["no body", 400, "MALFORMED_JSON", () => ({})],
      ["a body that is no JSON", 400, "MALFORMED_JSON", () => ({ raw: "{", headers: json })],
      ["a body without markers", 400, "VALIDATION_FAILED", () => ({ body: {} })],
      ["a list alone", 400, "VALIDATION_FAILED", () => ({ body: [marker()] })],
      ["null", 400, "VALIDATION_FAILED", () => ({ raw: "null", headers: json })],
      ["no markers", 400, "VALIDATION_FAILED", () => ({ body: { markers: [] } })],
      ["1001 markers", 400, "VALIDATION_FAILED", () => ({ body: { markers: Array.from({ length: 1001 }, () => 0) } })],
      [
        "another media type",
        415,
        "UNSUPPORTED_MEDIA_TYPE",
        () => ({ raw: "a", headers: { "content-type": "text/xml", "content-length": "1" } })
      ],
      [
        "another encoding",
        415,
        "UNSUPPORTED_MEDIA_TYPE",
        () => ({ body: good(), headers: { "content-encoding": "br" } })
      ],
      [
        "bytes that are no gzip",
        400,
        "MALFORMED_REQUEST",
        () => ({ body: good(), headers: { "content-encoding": "gzip" } })
      ],
      ["more than 1 MiB", 413, "PAYLOAD_TOO_LARGE", () => ({ raw: `{"a":"${"x".repeat(1 << 20)}"}`, headers: json })],
      [
        "gzip that grows past 1 MiB",
        413,
        "PAYLOAD_TOO_LARGE",
        () => ({ raw: gzipSync(Buffer.alloc(50 << 20)), headers: { ...json, "content-encoding": "gzip" } })
      ],
      [
        "an unknown environment",
        404,
        "ENVIRONMENT_NOT_FOUND",
        () => ({ body: good(), headers: { environment: "moon" } })
      ],
      [
        "an unknown project",
        404,
        "APPLICATION_NOT_FOUND",
        () => ({ body: good(), headers: { "project-id": "98765" } })
      ],
      [
        "a project that is no number",
        400,
        "VALIDATION_FAILED",
        () => ({ body: good(), headers: { "project-id": "x" } })
      ]
    ]

    it.each(rows)("of %s", async (_, status, code, call) => {
      const { headers = {}, ...rest } = call() ?? {}
      const answer = await request("POST", "/sdk/v1/markers", {
        headers: { authorization: game.publicKey, ...headers },
        ...rest
      })
      assert.deepStrictEqual([answer.status, answer.body.code, answer.body.errorCode], [status, code, code])
      assert.deepStrictEqual(Object.keys(answer.body).sort(), [...envelopeKeys, "errorCode"].sort())
    })

    it("of a key without the permission, or out of its environments", async () => {
      const reader = await mintKey(request, studio, { permissions: ["sdk:read"] })
      const elsewhere = await mintKey(request, studio, { type: "public", environmentIds: [studio.production] })
      const type = freshType()
      const cases = [
        await game.send([marker({ type })], { authorization: `Bearer ${reader}` }),
        await game.send([marker({ type })], { authorization: elsewhere })
      ]
      assert.deepStrictEqual(
        cases.map(({ status, body }) => [status, body.code]),
        [
          [403, "FORBIDDEN"],
          [403, "FORBIDDEN"]
        ]
      )
      assert.strictEqual(await game.count(type), 0)
    })

    it("of a key that spans projects and names none", async () => {
      const other = await request("POST", `/organization/${studio.organizationId}/projects`, {
        headers: studio.cookie,
        body: { name: "Second" }
      })
      const headers = { authorization: `Bearer ${game.secretKey}` }
      const answer = await game.send([marker()], headers)
      assert.deepStrictEqual([answer.status, answer.body.code], [400, "VALIDATION_FAILED"])
      const named = await game.send([marker()], { ...headers, "project-id": String(studio.applicationId) })
      assert.strictEqual(named.status, 200)
      await request("DELETE", `/application/${other.body.id}`, { headers: studio.cookie })
      assert.strictEqual((await game.send([marker()], headers)).status, 200)
    })
  })

  it("takes gzip", async () => {
    const type = freshType()
    const answer = await request("POST", "/sdk/v1/markers", {
      headers: { authorization: game.publicKey, "content-type": "application/json", "content-encoding": "gzip" },
      raw: gzipSync(JSON.stringify({ markers: [marker({ type })] }))
    })
    assert.deepStrictEqual([answer.status, await game.count(type)], [200, 1])
  })

  describe("back-fills", () => {
    const lines = (count: number, type: string) =>
      Array.from({ length: count }, () => JSON.stringify(marker({ type }))).join("\n")

    it("take lines of any number, plain or gzip, and answer one summary", async () => {
      const type = freshType()
      const text = lines(2500, type)
      const answer = await game.fill(text)
      assert.deepStrictEqual([answer.status, answer.body.ingestedMarkersCount], [200, 2500])
      assert.deepStrictEqual(Object.keys(answer.body).sort(), [...resultKeys].sort())
      const again = await game.fill(gzipSync(text), { "content-encoding": "gzip" })
      assert.deepStrictEqual([again.status, again.body.duplicateMarkersCount], [200, 2500])
      assert.deepStrictEqual(again.body.environment, { id: studio.development, alias: "development" })
      assert.deepStrictEqual([again.body.duplicateMarkers.length, again.body.duplicateMarkers[999].index], [1000, 999])
      assert.strictEqual(await game.count(type), 2500)
    })

    it("take a JSON list, bare or as markers", async () => {
      const type = freshType()
      const json = { "content-type": "application/json" }
      const bare = await game.fill(JSON.stringify([marker({ type }), marker({ type })]), json)
      const wrapped = await game.fill(JSON.stringify({ markers: [marker({ type })] }), json)
      assert.deepStrictEqual([bare.body.ingestedMarkersCount, wrapped.body.ingestedMarkersCount], [2, 1])
      assert.strictEqual(await game.count(type), 3)
    })

    it("count bad lines by themselves and name them by their place", async () => {
      const type = freshType()
      const answer = await game.fill(`${lines(1200, type)}\n{"broken\n${lines(1, type)}\n"${"x".repeat(70_000)}"`)
      assert.deepStrictEqual(
        [answer.body.ingestedMarkersCount, answer.body.rejectedMarkers.map(({ index }: { index: number }) => index)],
        [1201, [1200, 1202]]
      )
    })

    it("are refused when nothing in them is a marker, or the list is broken", async () => {
      const json = { "content-type": "application/json" }
      const answers = [
        await game.fill("1\n2"),
        await game.fill("[1", json),
        await game.fill("a", { "content-type": "image/png" }),
        await game.fill("a", { authorization: game.publicKey }),
        await game.fill("a", { environment_id: "98765" }),
        await game.fill(gzipSync(lines(3, "x")).subarray(0, 100), { "content-encoding": "gzip" })
      ]
      assert.deepStrictEqual(
        answers.map(({ status, body }) => [status, body.code]),
        [
          [400, "INVALID_MARKERS"],
          [400, "MALFORMED_JSON"],
          [415, "UNSUPPORTED_MEDIA_TYPE"],
          [401, "CREDENTIAL_NOT_ACCEPTED"],
          [404, "ENVIRONMENT_NOT_FOUND"],
          [400, "MALFORMED_REQUEST"]
        ]
      )
      assert.deepStrictEqual(Object.keys(answers[0]!.body).sort(), [...envelopeKeys, ...countKeys].sort())
    })
  })
})
