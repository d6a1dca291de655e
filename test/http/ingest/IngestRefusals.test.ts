import { assert, beforeAll, describe, it } from "@effect/vitest"
import { gzipSync } from "node:zlib"
import type { Game } from "../../support/game/Game.ts"
import { gameOf } from "../../support/game/Game.ts"
import { stores } from "../../support/Stores.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { mintKey, openStudio } from "../../support/access/Studio.ts"
import { envelopeKeys, testApp } from "../../support/TestApp.ts"
import { freshType, marker } from "../../support/ingest/NewMarkers.ts"

describe.each(stores)("markers in over %s", (_, store) => {
  const { request } = testApp(store)
  let studio: Studio
  let game: Game

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
    game = await gameOf(request, studio)
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
})
