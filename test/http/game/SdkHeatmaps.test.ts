import { assert, beforeAll, describe, it } from "@effect/vitest"
import { bearer, keysOf, refused } from "../../support/Caller.ts"
import { png } from "../../support/access/Pictures.ts"
import { stores } from "../../support/Stores.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { mintKey, openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

const nowhere = "00000000-0000-4000-8000-000000000000"

const bounds = { pointA: { x: 0, y: 0, z: 0 }, pointB: { x: 100, y: 10, z: 50 } }

describe.each(stores)("heatmap definitions over %s", (_, store) => {
  const { request } = testApp(store)
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
