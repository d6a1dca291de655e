import { assert, beforeAll, describe, it } from "@effect/vitest"
import { gzipSync } from "node:zlib"
import type { Game } from "../../support/game/Game.ts"
import { gameOf } from "../../support/game/Game.ts"
import { stores } from "../../support/Stores.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { envelopeKeys, testApp } from "../../support/TestApp.ts"
import { countKeys, freshType, marker, resultKeys } from "../../support/ingest/NewMarkers.ts"

describe.each(stores)("markers in over %s", (_, store) => {
  const { request } = testApp(store)
  let studio: Studio
  let game: Game

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
    game = await gameOf(request, studio)
  })

  describe("back-fills", () => {
    const lines = (count: number, type: string) =>
      Array.from({ length: count }, () => JSON.stringify(marker({ type }))).join("\n")

    /** The markers of a type as an export has them. */
    const exported = async (type: string): Promise<ReadonlyArray<any>> => {
      const path = `/application/${studio.applicationId}/analytics/v1/markers/export?format=ndjson&types=${type}`
      const headers = { ...studio.cookie, environment_id: String(studio.development) }
      const { text } = await request("GET", path, { headers })
      return text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    }

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

    it("take whole numbers above 2^53 as texts of all their digits", async () => {
      const type = freshType()
      const sent = marker({ type, userId: "player", value: { friend: "other" } })
      const line = JSON.stringify(sent).replace('"player"', "76561198000000001").replace('"other"', "76561198000000003")
      assert.strictEqual((await game.fill(line)).body.ingestedMarkersCount, 1)
      const [row] = await exported(type)
      assert.deepInclude(row, { unitId: "76561198000000001", arguments: { friend: "76561198000000003" } })
    })

    it("take rows of an export of markers back, with player, arguments and place", async () => {
      const row = {
        markerId: crypto.randomUUID(),
        type: freshType(),
        unitId: "ada",
        sessionId: "s1",
        serverId: "arena-3",
        timestamp: new Date(Date.now() - 60_000).toISOString(),
        clamped: false,
        ...{ x: 1, y: 2.5, z: -3 },
        arguments: { level: 4, won: true },
        properties: { platform: "ios" }
      }
      const sent = await game.fill(JSON.stringify({ sequence: 7, ...row, receivedAt: row.timestamp }))
      assert.deepStrictEqual([sent.status, sent.body.ingestedMarkersCount], [200, 1])
      const [{ sequence: _, receivedAt: __, ...again }] = await exported(row.type)
      assert.deepStrictEqual(again, row)
    })

    it("keep that a marker of an export was clamped, and name only those that are clamped now", async () => {
      const type = freshType()
      const timestamp = new Date(Date.now() - 60_000).toISOString()
      const row = { type, unitId: "ada", timestamp, clamped: true, arguments: {}, properties: {} }
      const early = { ...row, timestamp: new Date(Date.now() + 3_600_000).toISOString(), clamped: false }
      const sent = await game.fill(
        [row, early, { ...row, clamped: false }].map((one) => JSON.stringify(one)).join("\n")
      )
      assert.deepStrictEqual(
        [sent.body.ingestedMarkersCount, sent.body.clampedMarkers],
        [3, [{ index: 1, markerId: null }]]
      )
      const rows = await exported(type)
      assert.deepStrictEqual(rows.map(({ clamped }) => clamped).toSorted(), [false, true, true])
    })

    it("refuse a row whose clamped is neither true nor false, by itself", async () => {
      const type = freshType()
      const { status, body } = await game.fill(
        [{ ...marker({ type }), clamped: "true" }, marker({ type })].map((one) => JSON.stringify(one)).join("\n")
      )
      assert.deepStrictEqual(
        [
          status,
          body.ingestedMarkersCount,
          body.rejectedMarkers.length,
          body.rejectedMarkers[0].index,
          body.rejectedMarkers[0].code
        ],
        [200, 1, 1, 0, "INVALID_CLAMPED"]
      )
    })

    it("are alone believed that a marker was clamped: a game is not", async () => {
      const type = freshType()
      const sent = await game.send([{ ...marker({ type }), clamped: true }])
      assert.deepStrictEqual([sent.status, sent.body.ingestedMarkersCount], [200, 1])
      assert.deepStrictEqual(
        (await exported(type)).map(({ clamped }) => clamped),
        [false]
      )
    })

    it("count bad lines by themselves and name them by their place", async () => {
      const type = freshType()
      const answer = await game.fill(`${lines(1200, type)}\n{"broken\n${lines(1, type)}\n"${"x".repeat(70_000)}"`)
      assert.deepStrictEqual(
        [answer.body.ingestedMarkersCount, answer.body.rejectedMarkers.map(({ index }: { index: number }) => index)],
        [1201, [1200, 1202]]
      )
    })

    it("say that markers may be stored where gzip breaks after them", async () => {
      const type = freshType()
      const text = gzipSync(lines(20_000, type))
      const answer = await game.fill(text.subarray(0, text.length >> 1), { "content-encoding": "gzip" })
      assert.deepStrictEqual([answer.status, answer.body.code], [400, "MALFORMED_REQUEST"])
      assert.strictEqual(answer.body.message, "The body is not valid gzip; markers that came before may be stored")
      const bomb = gzipSync(`${lines(2000, type)}\n${" ".repeat(64 << 20)}`)
      const refused = await game.fill(bomb, { "content-encoding": "gzip" })
      assert.deepStrictEqual([refused.status, refused.body.code], [413, "PAYLOAD_TOO_LARGE"])
      assert.match(refused.body.message, /; markers that came before may be stored$/)
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
