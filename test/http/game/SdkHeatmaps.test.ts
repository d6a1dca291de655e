import { assert, beforeAll, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { ApplicationId, HeatmapId } from "../../../src/domain/Ids.ts"
import { Secrets } from "../../../src/ports/access/Secrets.ts"
import { HeatmapRepo } from "../../../src/ports/analytics/HeatmapRepo.ts"
import { mostHeatmaps } from "../../../src/services/analytics/Heatmaps.ts"
import { bearer, keysOf, refused } from "../../support/Caller.ts"
import { png } from "../../support/access/Pictures.ts"
import { stores } from "../../support/Stores.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { mintKey, openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

const nowhere = "00000000-0000-4000-8000-000000000000"

const bounds = { pointA: { x: 0, y: 0, z: 0 }, pointB: { x: 100, y: 10, z: 50 } }

describe.each(stores)("heatmap definitions over %s", (_, store) => {
  const { request, run } = testApp(store)
  let studio: Studio
  let home: string

  const call = (method: string, path = "", body?: unknown, headers: Record<string, string> = studio.cookie) =>
    request(method, `${home}${path}`, body === undefined ? { headers } : { headers, body })
  const define = async (more: object = {}) => (await call("POST", "", { name: "Map", bounds, ...more })).body

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
    home = `/application/${studio.applicationId}/analytics/v1/heatmaps`
  })

  describe("in the game's editor", () => {
    const sdkKeys = ["code", "error", "errorCode", "message", "statusCode"]
    let editor: Record<string, string>
    let game: Record<string, string>
    const sdk = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
      request(method, `/sdk/v1/heatmaps/${path}`, body === undefined ? { headers } : { headers, body })

    beforeAll(async () => {
      editor = bearer(await mintKey(request, studio, { permissions: ["sdk:read", "queries:write"] }))
      game = { authorization: await mintKey(request, studio, { type: "public" }) }
    })

    it("are made, listed, replaced, given an image and deleted", async () => {
      const created = await sdk("POST", "create", editor, { name: "Editor", bounds, resolutionFactor: 2 })
      assert.deepStrictEqual([created.status, keysOf(created.body)], [200, ["id"]])
      const { id } = created.body
      for (const headers of [editor, game]) {
        const { status, body } = await sdk("GET", "list", headers)
        assert.strictEqual(status, 200)
        const found = body.find((each: { id: string }) => each.id === id)
        assert.deepStrictEqual(found, { id, name: "Editor", description: null, bounds, resolutionFactor: 2 })
      }
      const replaced = await sdk("PUT", id, editor, { name: "Renamed", bounds })
      assert.deepStrictEqual([replaced.status, replaced.body], [200, { id }])
      const drawn = await request("POST", `/sdk/v1/heatmaps/${id}/image`, { headers: editor, raw: png(3, 4) })
      assert.deepStrictEqual([drawn.status, drawn.body], [200, { id }])
      const seen = (await call("GET", `/${id}`)).body
      assert.strictEqual(seen.name, "Renamed")
      assert.isNotNull(seen.imageUrl)
      const removed = await sdk("DELETE", id, editor)
      assert.deepStrictEqual([removed.status, removed.body], [200, { id }])
      refused(await call("GET", `/${id}`), 404, "HEATMAP_NOT_FOUND")
    })

    it("are so many of a project at most, by whatever key: players have a public one that may make them", async () => {
      const full = await openStudio(request, "full")
      const every = { permissions: ["sdk:ingest", "sdk:read", "queries:write"] }
      const key = bearer(await mintKey(request, full, { type: "public", ...every }))
      const defineHere = Effect.gen(function* () {
        const id = HeatmapId.make(yield* (yield* Secrets).uuid)
        const where = { applicationId: ApplicationId.make(full.applicationId), imageTag: null }
        const shape = { name: "Map", description: null, bounds, resolutionFactor: 1, createdAt: yield* DateTime.now }
        return yield* (yield* HeatmapRepo).insert({ id, ...where, ...shape })
      })
      await run(Effect.replicateEffect(defineHere, mostHeatmaps - 1))
      const last = await sdk("POST", "create", key, { name: "Last", bounds })
      assert.strictEqual(last.status, 200)
      const refusal = await sdk("POST", "create", key, { name: "Too many", bounds })
      assert.deepStrictEqual([refusal.status, refusal.body.errorCode], [409, "HEATMAP_LIMIT_REACHED"])
      const outside = `/application/${full.applicationId}/analytics/v1/heatmaps`
      const byPerson = await request("POST", outside, { headers: full.cookie, body: { name: "Too many", bounds } })
      refused(byPerson, 409, "HEATMAP_LIMIT_REACHED")
      const removed = await request("DELETE", `${outside}/${last.body.id}`, { headers: full.cookie })
      assert.strictEqual(removed.status, 204)
      assert.strictEqual((await sdk("POST", "create", key, { name: "Again", bounds })).status, 200)
    })

    it("are changed by no public key, nor by one that only ingests", async () => {
      const { id, ...before } = await define()
      const ingest = bearer(await mintKey(request, studio, { permissions: ["sdk:ingest", "sdk:read"] }))
      for (const headers of [game, ingest]) {
        const answers = [
          await sdk("POST", "create", headers, { name: "Editor", bounds }),
          await sdk("PUT", id, headers, { name: "Editor", bounds }),
          await sdk("DELETE", id, headers),
          await request("POST", `/sdk/v1/heatmaps/${id}/image`, { headers, raw: png(1, 1) })
        ]
        for (const { status, body } of answers) {
          assert.deepStrictEqual([status, body.code, body.errorCode], [403, "FORBIDDEN", "FORBIDDEN"])
          assert.deepStrictEqual(keysOf(body), sdkKeys)
        }
      }
      assert.deepStrictEqual((await call("GET", `/${id}`)).body, { id, ...before })
    })

    it("that are not there, or unsound, are refused", async () => {
      const cases = [
        [await sdk("PUT", nowhere, editor, { name: "Editor", bounds }), 404, "HEATMAP_NOT_FOUND"],
        [await sdk("DELETE", nowhere, editor), 404, "HEATMAP_NOT_FOUND"],
        [await sdk("DELETE", "7", editor), 400, "VALIDATION_FAILED"],
        [await sdk("POST", "create", editor, { name: "Editor" }), 400, "VALIDATION_FAILED"]
      ] as const
      for (const [{ status, body }, expected, code] of cases)
        assert.deepStrictEqual([status, body.code, body.errorCode], [expected, code, code])
    })
  })
})
