import { assert, beforeAll, describe, it } from "@effect/vitest"
import { bearer, joinAs, keysOf, refused } from "../../support/Caller.ts"
import { gif, jpeg, png, svg, webp } from "../../support/access/Pictures.ts"
import { stores } from "../../support/Stores.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { mintKey, mintPersonalToken, openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

const mebibyte = 1024 * 1024
const nowhere = "00000000-0000-4000-8000-000000000000"
const bounds = { pointA: { x: 0, y: 0, z: 0 }, pointB: { x: 100, y: 10, z: 50 } }
const recordKeys = ["bounds", "description", "id", "imageUrl", "name", "resolutionFactor"]

const padded = (picture: Uint8Array, size: number) => {
  const bytes = new Uint8Array(size)
  bytes.set(picture)
  return bytes
}

const unsound: ReadonlyArray<readonly [string, object]> = [
  ["without a name", { name: undefined }],
  ["with an empty name", { name: "" }],
  ["with a name too long", { name: "x".repeat(101) }],
  ["without bounds", { bounds: undefined }],
  ["with one corner", { bounds: { pointA: bounds.pointA } }],
  ["with a corner without height", { bounds: { ...bounds, pointB: { x: 1, z: 2 } } }],
  ["with a coordinate as text", { bounds: { ...bounds, pointB: { x: "1", y: 0, z: 2 } } }],
  ["out of this world", { bounds: { ...bounds, pointB: { x: 1.1e12, y: 0, z: 2 } } }],
  ["with a factor of 0", { resolutionFactor: 0 }],
  ["with a factor of 1001", { resolutionFactor: 1001 }],
  ["with a factor as text", { resolutionFactor: "1" }]
]

describe.each(stores)("heatmap definitions over %s", (_, store) => {
  const { request, bytes: bytesOf } = testApp(store)
  let studio: Studio
  let home: string

  const call = (method: string, path = "", body?: unknown, headers: Record<string, string> = studio.cookie) =>
    request(method, `${home}${path}`, body === undefined ? { headers } : { headers, body })
  const define = async (more: object = {}) => (await call("POST", "", { name: "Map", bounds, ...more })).body
  const putImage = (id: string, raw: Uint8Array | string, headers: Record<string, string> = {}) =>
    request("PUT", `${home}/${id}/image`, { raw, headers: { ...studio.cookie, ...headers } })
  const getImage = (id: string, headers: Record<string, string> = {}, query = "") =>
    request("GET", `${home}/${id}/image${query}`, { headers: { ...studio.cookie, ...headers } })

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
    home = `/application/${studio.applicationId}/analytics/v1/heatmaps`
  })

  it("are made, read, replaced and deleted", async () => {
    const created = await call("POST", "", { name: "Arena", bounds })
    assert.strictEqual(created.status, 201)
    assert.deepStrictEqual(keysOf(created.body), recordKeys)
    const { id } = created.body
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.deepStrictEqual(created.body, {
      id,
      name: "Arena",
      description: null,
      bounds,
      resolutionFactor: 1,
      imageUrl: null
    })
    assert.deepStrictEqual((await call("GET", `/${id}`)).body, created.body)
    const moved = { pointA: { x: -0.1, y: 1e12, z: 3 }, pointB: bounds.pointA }
    const other = { name: "Cave", description: "dark", bounds: moved, resolutionFactor: 0.5 }
    const replaced = await call("PUT", `/${id}`, other)
    assert.deepStrictEqual([replaced.status, replaced.body], [200, { id, ...other, imageUrl: null }])
    assert.deepStrictEqual((await call("GET", `/${id}`)).body, replaced.body)
    const again = await call("PUT", `/${id}`, { name: "Cave", bounds: moved })
    assert.deepStrictEqual([again.body.description, again.body.resolutionFactor], [null, 1])
    const removed = await call("DELETE", `/${id}`)
    assert.deepStrictEqual([removed.status, removed.text], [204, ""])
    refused(await call("GET", `/${id}`), 404, "HEATMAP_NOT_FOUND")
    refused(await call("DELETE", `/${id}`), 404, "HEATMAP_NOT_FOUND")
  })

  it("are listed in order of creation, page by page", async () => {
    const own = await openStudio(request, "lister")
    const path = `/application/${own.applicationId}/analytics/v1/heatmaps`
    const names = ["d", "a", "c", "b"]
    for (const name of names) await request("POST", path, { headers: own.cookie, body: { name, bounds } })
    const seen: Array<string> = []
    let query = "?limit=3"
    for (let page = 0; page < 2; page++) {
      const { body } = await request("GET", `${path}${query}`, { headers: own.cookie })
      assert.deepStrictEqual(keysOf(body), ["items", "nextCursor"])
      for (const each of body.items) assert.deepStrictEqual(keysOf(each), recordKeys)
      seen.push(...body.items.map(({ name }: { name: string }) => name))
      query = `?limit=3&cursor=${body.nextCursor}`
    }
    assert.deepStrictEqual(seen, names)
    assert.strictEqual(query, "?limit=3&cursor=null")
    refused(await request("GET", `${path}?cursor=x`, { headers: own.cookie }), 400, "VALIDATION_FAILED")
    refused(await request("GET", `${path}?limit=0`, { headers: own.cookie }), 400, "VALIDATION_FAILED")
  })

  it.each(unsound)("%s are refused, new or replaced", async (_case, more) => {
    const { id, ...before } = await define()
    refused(await call("POST", "", { name: "Map", bounds, ...more }), 400, "VALIDATION_FAILED")
    refused(await call("PUT", `/${id}`, { name: "Map", bounds, ...more }), 400, "VALIDATION_FAILED")
    assert.deepStrictEqual((await call("GET", `/${id}`)).body, { id, ...before })
  })

  it("of another project are not there", async () => {
    const other = await openStudio(request, "bob")
    const { id } = await define()
    const theirs = `/application/${other.applicationId}/analytics/v1/heatmaps/${id}`
    const headers = other.cookie
    const body = { name: "Stolen", bounds }
    refused(await request("GET", theirs, { headers }), 404, "HEATMAP_NOT_FOUND")
    refused(await request("PUT", theirs, { headers, body }), 404, "HEATMAP_NOT_FOUND")
    refused(await request("DELETE", theirs, { headers }), 404, "HEATMAP_NOT_FOUND")
    refused(await request("PUT", `${theirs}/image`, { headers, raw: png(1, 1) }), 404, "HEATMAP_NOT_FOUND")
    refused(await request("GET", `${theirs}/image`, { headers }), 404, "HEATMAP_NOT_FOUND")
    refused(await call("GET", `/${id}`, undefined, headers), 404, "APPLICATION_NOT_FOUND")
    assert.strictEqual((await call("GET", `/${id}`)).body.name, "Map")
  })

  it("are read with analytics:read and changed with queries:write", async () => {
    const { id } = await define()
    const viewer = await joinAs(request, studio, "viewer", "Viewer")
    const reader = ["analytics:read"]
    const readers = [
      viewer.cookie,
      bearer(await mintPersonalToken(request, studio, { permissions: reader })),
      bearer(await mintKey(request, studio, { permissions: reader }))
    ]
    for (const headers of readers) {
      assert.strictEqual((await call("GET", "", undefined, headers)).status, 200)
      assert.strictEqual((await call("GET", `/${id}`, undefined, headers)).status, 200)
      refused(await call("POST", "", { name: "Map", bounds }, headers), 403, "FORBIDDEN")
      refused(await call("PUT", `/${id}`, { name: "Map", bounds }, headers), 403, "FORBIDDEN")
      refused(await call("DELETE", `/${id}`, undefined, headers), 403, "FORBIDDEN")
      refused(await request("PUT", `${home}/${id}/image`, { headers, raw: svg }), 403, "FORBIDDEN")
    }
    const writer = bearer(await mintKey(request, studio, { permissions: ["queries:write"] }))
    assert.strictEqual((await call("PUT", `/${id}`, { name: "New", bounds }, writer)).status, 200)
    refused(await call("GET", `/${id}`, undefined, writer), 403, "FORBIDDEN")
  })

  describe("and their map images", () => {
    it.each([
      ["image/png", png],
      ["image/jpeg", jpeg],
      ["image/webp", webp]
    ] as const)("%s is known by its bytes", async (type, picture) => {
      const { id } = await define()
      const answer = await putImage(id, picture(640, 320), { "content-type": "text/html" })
      assert.strictEqual(answer.status, 200)
      assert.deepStrictEqual(keysOf(answer.body), recordKeys)
      assert.isTrue(answer.body.imageUrl.startsWith(`http://127.0.0.1:4210${home}/${id}/image?v=`))
      const served = await getImage(id)
      assert.deepStrictEqual([served.status, served.headers.get("content-type")], [200, type])
      assert.deepStrictEqual(await bytesOf(`${home}/${id}/image`, studio.cookie), picture(640, 320))
      assert.deepStrictEqual((await call("GET", `/${id}`)).body, answer.body)
    })

    it("outlive a replaced definition, have a tag that changes with them, and go with the definition", async () => {
      const { id } = await define()
      refused(await getImage(id), 404, "IMAGE_NOT_FOUND")
      const { imageUrl } = (await putImage(id, png(10, 10))).body
      assert.strictEqual((await call("PUT", `/${id}`, { name: "New", bounds })).body.imageUrl, imageUrl)
      const first = await getImage(id, {}, new URL(imageUrl).search)
      assert.strictEqual(first.headers.get("cache-control"), "private, max-age=31536000, immutable")
      const etag = String(first.headers.get("etag"))
      const known = await getImage(id, { "if-none-match": etag })
      assert.deepStrictEqual([known.status, known.text], [304, ""])
      assert.notStrictEqual((await putImage(id, png(11, 10))).body.imageUrl, imageUrl)
      assert.strictEqual((await getImage(id, { "if-none-match": etag })).status, 200)
      await call("DELETE", `/${id}`)
      refused(await getImage(id), 404, "HEATMAP_NOT_FOUND")
    })

    it("refuse what is no map image, and keep the one there is", async () => {
      const { id } = await define()
      await putImage(id, png(10, 10))
      const before = (await getImage(id)).headers.get("etag")
      refused(await putImage(id, gif(10, 10), { "content-type": "image/png" }), 400, "IMAGE_INVALID")
      refused(await putImage(id, svg, { "content-type": "image/png" }), 400, "IMAGE_INVALID")
      refused(await putImage(id, "hello"), 400, "IMAGE_INVALID")
      refused(await putImage(id, png(8193, 1)), 400, "IMAGE_INVALID")
      refused(await putImage(id, padded(png(10, 10), 4 * mebibyte + 1)), 413, "PAYLOAD_TOO_LARGE")
      refused(await putImage(nowhere, png(1, 1)), 404, "HEATMAP_NOT_FOUND")
      assert.strictEqual((await getImage(id)).headers.get("etag"), before)
    })

    it("take 4 MiB and 8192 pixels a side", async () => {
      const { id } = await define()
      const largest = padded(png(8192, 8192), 4 * mebibyte)
      assert.strictEqual((await putImage(id, largest)).status, 200)
      assert.strictEqual((await bytesOf(`${home}/${id}/image`, studio.cookie)).length, 4 * mebibyte)
    })
  })
})
