import { assert, describe, it } from "@effect/vitest"
import { bearer, caller, joinAs, keysOf, refused } from "../../support/Caller.ts"
import { gif, jpeg, png, svg, webp } from "../../support/access/Pictures.ts"
import { stores } from "../../support/Stores.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

const mebibyte = 1024 * 1024

const form = (field: string, bytes: Uint8Array, type = "image/png") => {
  const data = new FormData()
  data.append("note", "ignored")
  data.append(field, new Blob([bytes.slice()], { type }), "icon.png")
  return data
}

const padded = (picture: Uint8Array, size: number) => {
  const bytes = new Uint8Array(size)
  bytes.set(picture)
  return bytes
}

describe.each(stores)("icons over %s", (_, store) => {
  const { request, bytes: bytesOf } = testApp(store)

  const open = async (name: string) => {
    const studio = await openStudio(request, name)
    const home = `/organization/${studio.organizationId}`
    const path = `${home}/icon`
    const put = (raw: Uint8Array | FormData | string, headers: Record<string, string> = {}) =>
      request("PUT", path, { raw, headers: { ...studio.cookie, ...headers } })
    const get = (headers: Record<string, string> = {}, query = "") =>
      request("GET", `${path}${query}`, { headers: { ...studio.cookie, ...headers } })
    return { studio, call: caller(request, studio.cookie), home, path, put, get }
  }

  const pictures = [
    ["image/png", png],
    ["image/jpeg", jpeg],
    ["image/webp", webp],
    ["image/gif", gif]
  ] as const

  it.each(pictures)("%s is known by its bytes, whatever the upload calls it", async (type, picture) => {
    const { studio, home, path, put, get, call } = await open(`type-${type.replace("/", "-")}`)
    const set = await put(picture(64, 32), { "content-type": "text/html" })
    assert.strictEqual(set.status, 200)
    assert.deepStrictEqual(keysOf(set.body), ["iconUrl", "id"])
    assert.strictEqual(set.body.id, studio.organizationId)
    assert.isTrue(String(set.body.iconUrl).startsWith(`http://127.0.0.1:4210${path}?v=`))
    const served = await get()
    assert.deepStrictEqual([served.status, served.headers.get("content-type")], [200, type])
    assert.strictEqual(served.headers.get("x-content-type-options"), "nosniff")
    assert.strictEqual((await call("GET", home)).body.iconUrl, set.body.iconUrl)
  })

  it("is taken from the form field `file`", async () => {
    const { put, get } = await open("form")
    const raw = await put(png(10, 10), { "content-type": "image/png" })
    const posted = await put(form("file", png(10, 10), "application/octet-stream"))
    assert.deepStrictEqual([posted.status, posted.body], [200, raw.body])
    assert.strictEqual((await get()).headers.get("content-type"), "image/png")
  })

  /** A form as a client writes it that chooses its boundary itself. */
  const written = (boundary: string, files: ReadonlyArray<Uint8Array>) =>
    Buffer.concat([
      ...files.flatMap((file) => [
        Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="icon.png"\r\n\r\n`),
        file,
        Buffer.from("\r\n")
      ]),
      Buffer.from(`--${boundary}--\r\n`)
    ])

  it.each([
    ["of one character", "x", "x"],
    ["of all characters that one may have", "'()+_,-./:=? 09azAZ", `"'()+_,-./:=? 09azAZ"`],
    ["of 70 characters", "y".repeat(70), "y".repeat(70)]
  ])("is taken from a form whose boundary is %s", async (name, boundary, said) => {
    const { put, path, studio } = await open(`boundary-${name.replaceAll(" ", "-")}`)
    const picture = Buffer.concat([png(10, 10), Buffer.from(`\r\n--${boundary}yz --x`)])
    const answer = await put(written(boundary, [picture]), { "content-type": `multipart/form-data; boundary=${said}` })
    assert.strictEqual(answer.status, 200, answer.text)
    assert.deepStrictEqual(Buffer.from(await bytesOf(path, studio.cookie)), picture)
  })

  it("is taken from no form with two files, nor from one whose boundary is too long", async () => {
    const { put, get } = await open("two-files")
    const putForm = (boundary: string, files: ReadonlyArray<Uint8Array>) =>
      put(written(boundary, files), { "content-type": `multipart/form-data; boundary=${boundary}` })
    const two = await putForm("x", [png(10, 10), png(20, 20)])
    refused(two, 400, "IMAGE_INVALID")
    assert.strictEqual(two.body.message, "file: expected one form field of this name, found 2")
    refused(await putForm("y".repeat(71), [png(10, 10)]), 400, "MALFORMED_REQUEST")
    refused(await get(), 404, "ICON_NOT_FOUND")
  })

  it("is taken from no form of thousands of fields, nor from one without a boundary", async () => {
    const { put } = await open("fields")
    const data = form("file", png(10, 10))
    for (let field = 0; field < 60; field++) data.append("more", "x")
    assert.strictEqual((await put(data)).status, 200)
    for (let field = 0; field < 60; field++) data.append("more", "x")
    refused(await put(data), 400, "IMAGE_INVALID")
    for (const type of ["multipart/form-data", "multipart/form-data; boundary=", 'multipart/form-data; boundary=""'])
      refused(await put("--\r\n", { "content-type": type }), 400, "MALFORMED_REQUEST")
  })

  it("is served byte for byte, with a tag that changes with it", async () => {
    const { studio, path, put, get } = await open("tagged")
    const bytes = jpeg(7, 9)
    const { iconUrl } = (await put(bytes)).body
    const response = await bytesOf(path, studio.cookie)
    assert.deepStrictEqual(response, bytes)
    const first = await get()
    const etag = String(first.headers.get("etag"))
    assert.match(etag, /^"[A-Za-z0-9_-]{43}"$/)
    assert.strictEqual(first.headers.get("cache-control"), "private, no-cache")
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*", etag.slice(1, -1)]) {
      const unchanged = await get({ "if-none-match": known })
      assert.deepStrictEqual([unchanged.status, unchanged.text, unchanged.headers.get("etag")], [304, "", etag])
    }
    const byVersion = await get({}, new URL(iconUrl).search)
    assert.strictEqual(byVersion.headers.get("cache-control"), "private, max-age=31536000, immutable")
    await put(jpeg(8, 9))
    const second = await get({ "if-none-match": etag })
    assert.strictEqual(second.status, 200)
    assert.notStrictEqual(second.headers.get("etag"), etag)
    assert.strictEqual((await get({}, new URL(iconUrl).search)).headers.get("cache-control"), "private, no-cache")
  })

  it("is removed", async () => {
    const { studio, call, home, path, put, get } = await open("removed")
    refused(await get(), 404, "ICON_NOT_FOUND")
    await put(png(10, 10))
    const removed = await call("DELETE", path)
    assert.deepStrictEqual([removed.status, removed.body], [200, { id: studio.organizationId, iconUrl: null }])
    refused(await get(), 404, "ICON_NOT_FOUND")
    assert.isNull((await call("GET", home)).body.iconUrl)
    assert.strictEqual((await call("DELETE", path)).status, 200)
  })

  it("refuses what is no icon, and keeps the one there is", async () => {
    const { put, get } = await open("refuser")
    await put(png(10, 10))
    const before = (await get()).headers.get("etag")
    const boundary = { "content-type": "multipart/form-data; boundary=x" }
    const cases: ReadonlyArray<readonly [number, string, Uint8Array | FormData | string, Record<string, string>]> = [
      [400, "IMAGE_INVALID", svg, { "content-type": "image/svg+xml" }],
      [400, "IMAGE_INVALID", svg, { "content-type": "image/png" }],
      [400, "IMAGE_INVALID", "hello", { "content-type": "image/png" }],
      [400, "IMAGE_INVALID", png(10, 10).slice(0, 20), {}],
      [400, "IMAGE_INVALID", png(4097, 10), {}],
      [400, "IMAGE_INVALID", webp(10, 4097), {}],
      [400, "IMAGE_INVALID", form("file", svg), {}],
      [400, "IMAGE_INVALID", form("icon", png(10, 10)), {}],
      [400, "MALFORMED_REQUEST", "--x\r\nnonsense", boundary],
      [400, "MALFORMED_REQUEST", "", boundary],
      [400, "MALFORMED_REQUEST", "--x", { "content-type": "multipart/form-data" }],
      [413, "PAYLOAD_TOO_LARGE", padded(png(10, 10), mebibyte + 1), {}],
      [413, "PAYLOAD_TOO_LARGE", form("file", padded(png(10, 10), mebibyte + 1)), {}],
      [413, "PAYLOAD_TOO_LARGE", form("file", padded(png(10, 10), 2 * mebibyte)), {}]
    ]
    for (const [status, code, raw, headers] of cases) refused(await put(raw, headers), status, code)
    assert.strictEqual((await get()).headers.get("etag"), before)
  })

  it("takes a mebibyte and 4096 pixels a side, as a body and as a form", async () => {
    const { put } = await open("largest")
    const largest = padded(png(4096, 4096), mebibyte)
    assert.strictEqual((await put(largest)).status, 200)
    assert.strictEqual((await put(form("file", largest))).status, 200)
  })

  it("needs an image at all", async () => {
    const { call, path } = await open("empty")
    const answer = await call("PUT", path)
    assert.deepStrictEqual([answer.status, answer.body.code], [400, "MALFORMED_REQUEST"])
  })

  it("is shown to members, changed by who may, with a session or a token", async () => {
    const { studio, call, path, put } = await open("members")
    await put(png(10, 10))
    const viewer = await joinAs(request, studio, "members-viewer", "Viewer")
    assert.strictEqual((await viewer.call("GET", path)).status, 200)
    refused(await viewer.call("DELETE", path), 403, "FORBIDDEN")
    refused(await request("PUT", path, { raw: svg, headers: viewer.cookie }), 403, "FORBIDDEN")
    const minted = await call("POST", "/users/personal-access-tokens", {
      name: "icon reader",
      organizationId: studio.organizationId,
      projectScope: { allProjects: true },
      environmentIds: [studio.production],
      permissions: ["organization:read"]
    })
    assert.strictEqual((await caller(request, bearer(minted.body.token))("GET", path)).status, 200)
    refused(await request("GET", path), 401, "UNAUTHENTICATED")
    assert.strictEqual((await viewer.call("GET", path)).status, 200)
  })
})
