import { assert, beforeAll, describe, it } from "@effect/vitest"
import { bearer, joinAs, keysOf, refused } from "../../support/Caller.ts"
import { target, basis, phone, type DeeplinkStudio, deeplinkStudioOf } from "../../support/deeplinks/DeeplinkStudio.ts"
import { stores } from "../../support/Stores.ts"
import { mintPersonalToken, openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

const nowhere = "00000000-0000-4000-8000-000000000000"
const recordKeys = [
  "applicationId",
  "archivedAt",
  "attributionWindowHours",
  "clicks",
  "conversionMarker",
  "conversions",
  "createdAt",
  "id",
  "metadata",
  "name",
  "redirectUrl",
  "slug",
  "type",
  "updatedAt",
  "url"
]
const unsound: ReadonlyArray<readonly [string, object]> = [
  ["without a name", { name: undefined }],
  ["of no known type", { type: "mail" }],
  ["without a target", { redirectUrl: undefined }],
  ["with an empty slug", { slug: "" }],
  ["with a slug of other characters", { slug: "a/b" }],
  ["with a slug too long", { slug: "x".repeat(65) }],
  ["with a window of 0 hours", { attributionWindowHours: 0 }],
  ["with metadata as text", { metadata: "x" }],
  ["with an empty conversion marker", { conversionMarker: "" }]
]

describe.each(stores)("deeplinks over %s", (label, store) => {
  const { request } = testApp(store, { publicUrl: "https://links.example", trustProxy: true })
  let studio: DeeplinkStudio["studio"]
  let call: DeeplinkStudio["call"]
  let define: DeeplinkStudio["define"]
  let click: DeeplinkStudio["click"]
  let conversions: DeeplinkStudio["conversions"]

  beforeAll(async () => {
    ;({ studio, call, define, click, conversions } = await deeplinkStudioOf(request, label))
  })

  it("are made, read, replaced, archived and deleted", async () => {
    const created = await call("POST", "", basis)
    assert.strictEqual(created.status, 201)
    assert.deepStrictEqual(keysOf(created.body), recordKeys)
    const { id, slug, createdAt } = created.body
    assert.match(slug, /^[a-z2-9]{8}$/)
    assert.deepInclude(created.body, {
      ...basis,
      applicationId: studio.applicationId,
      url: `https://links.example/d/${slug}`,
      metadata: {},
      conversionMarker: "Login",
      attributionWindowHours: 168,
      clicks: 0,
      conversions: 0,
      archivedAt: null
    })
    assert.deepStrictEqual((await call("GET", `/${id}`)).body, created.body)
    const other = { ...basis, name: "Winter", type: "other", metadata: { a: [1, null] }, conversionMarker: "Join" }
    const replaced = await call("PUT", `/${id}`, { ...other, attributionWindowHours: 1, archived: true })
    assert.strictEqual(replaced.status, 200)
    assert.deepInclude(replaced.body, { ...other, id, slug, createdAt, attributionWindowHours: 1 })
    assert.isString(replaced.body.archivedAt)
    refused(await click(slug), 404, "DEEPLINK_NOT_FOUND")
    assert.isNull((await call("PUT", `/${id}`, { ...other, archived: false })).body.archivedAt)
    assert.strictEqual((await click(slug)).status, 302)
    const listed = await call("GET", "/")
    assert.includeMembers(
      listed.body.map((each: { id: string }) => each.id),
      [id]
    )
    assert.strictEqual((await call("DELETE", `/${id}`)).status, 204)
    refused(await call("GET", `/${id}`), 404, "DEEPLINK_NOT_FOUND")
    refused(await call("PUT", `/${id}`, basis), 404, "DEEPLINK_NOT_FOUND")
    refused(await call("DELETE", `/${id}`), 404, "DEEPLINK_NOT_FOUND")
    refused(await call("GET", `/${id}/conversions`), 404, "DEEPLINK_NOT_FOUND")
    refused(await click(slug), 404, "DEEPLINK_NOT_FOUND")
  })

  it("are not replaced on a state that somebody else has changed", async () => {
    const { id, updatedAt } = await define()
    const theirs = (await call("PUT", `/${id}`, { ...basis, name: "Theirs", basedOn: updatedAt })).body
    assert.isTrue(theirs.updatedAt > updatedAt)
    const mine = { ...basis, name: "Mine", archived: true }
    refused(await call("PUT", `/${id}`, { ...mine, basedOn: updatedAt }), 409, "DEEPLINK_CHANGED")
    assert.deepStrictEqual((await call("GET", `/${id}`)).body, theirs)
    assert.strictEqual((await call("PUT", `/${id}`, { ...mine, basedOn: theirs.updatedAt })).body.name, "Mine")
    assert.strictEqual((await call("PUT", `/${id}`, { ...basis, name: "Last" })).body.name, "Last")
  })

  it.each(unsound)("%s are refused, new or replaced", async (_, more) => {
    const { id, ...before } = await define()
    refused(await call("POST", "", { ...basis, ...more }), 400, "VALIDATION_FAILED")
    refused(await call("PUT", `/${id}`, { ...basis, ...more }), 400, "VALIDATION_FAILED")
    assert.deepStrictEqual((await call("GET", `/${id}`)).body, { id, ...before })
  })

  it.each([
    ["web_url", "javascript:alert(1)"],
    ["web_url", "https://a@b.example"],
    ["roblox_url", "https://evil.example"],
    ["other", "unregistered://x"]
  ])("%s never lead to %s", async (type, redirectUrl) => {
    const { id } = await define()
    refused(await call("POST", "", { ...basis, type, redirectUrl }), 422, "REDIRECT_REFUSED")
    refused(await call("PUT", `/${id}`, { ...basis, type, redirectUrl }), 422, "REDIRECT_REFUSED")
  })

  it("have a slug of their own in the whole server", async () => {
    const other = await openStudio(request, `bob-${label}`)
    const { id, slug } = await define()
    const theirs = `/application/${other.applicationId}/deeplinks`
    const headers = other.cookie
    refused(await request("POST", theirs, { headers, body: { ...basis, slug } }), 409, "SLUG_TAKEN")
    const second = await define()
    refused(await call("PUT", `/${second.id}`, { ...basis, slug }), 409, "SLUG_TAKEN")
    assert.strictEqual((await call("PUT", `/${id}`, { ...basis, slug })).status, 200)
  })

  it("of another project are not there", async () => {
    const other = await openStudio(request, `eve-${label}`)
    const { id } = await define()
    const theirs = `/application/${other.applicationId}/deeplinks/${id}`
    const headers = other.cookie
    refused(await request("GET", theirs, { headers }), 404, "DEEPLINK_NOT_FOUND")
    refused(await request("PUT", theirs, { headers, body: basis }), 404, "DEEPLINK_NOT_FOUND")
    refused(await request("DELETE", theirs, { headers }), 404, "DEEPLINK_NOT_FOUND")
    refused(await request("GET", `${theirs}/conversions`, { headers }), 404, "DEEPLINK_NOT_FOUND")
    refused(await call("GET", `/${id}`, undefined, headers), 404, "APPLICATION_NOT_FOUND")
    refused(await call("GET", `/${nowhere}`), 404, "DEEPLINK_NOT_FOUND")
    refused(
      await call("GET", "", undefined, { ...studio.cookie, environment_id: String(other.production) }),
      404,
      "ENVIRONMENT_NOT_FOUND"
    )
  })

  it("are read with deeplinks:read and changed with deeplinks:write", async () => {
    const { id } = await define()
    const viewer = await joinAs(request, studio, `viewer-${label}`, "Viewer")
    const reader = bearer(await mintPersonalToken(request, studio, { permissions: ["deeplinks:read"] }))
    for (const headers of [viewer.cookie, reader]) {
      assert.strictEqual((await call("GET", `/${id}`, undefined, headers)).status, 200)
      refused(await call("POST", "", basis, headers), 403, "FORBIDDEN")
      refused(await call("PUT", `/${id}`, basis, headers), 403, "FORBIDDEN")
      refused(await call("DELETE", `/${id}`, undefined, headers), 403, "FORBIDDEN")
    }
  })

  it("send a click on, with its id", async () => {
    const { slug } = await define({ redirectUrl: `${target}?a=1#b` })
    const answer = await click(slug)
    assert.strictEqual(answer.status, 302)
    assert.strictEqual(answer.headers.get("cache-control"), "no-store")
    const location = new URL(answer.headers.get("location") ?? "")
    assert.strictEqual(location.origin + location.pathname + location.hash, `${target}#b`)
    assert.strictEqual(location.searchParams.get("utm_id"), `gk_${slug}`)
    assert.match(location.searchParams.get("gk_click") ?? "", /^[0-9a-f-]{36}$/)
    const elsewhere = await click(slug, {}, "?redirectUrl=https://evil.example&url=//evil.example")
    assert.strictEqual(new URL(elsewhere.headers.get("location") ?? "").host, "studio.example")
    refused(await click("no-such-slug"), 404, "DEEPLINK_NOT_FOUND")
  })

  it("do not count programs that look where they lead", async () => {
    const { id, slug } = await define()
    const crawler = await click(slug, { "user-agent": "facebookexternalhit/1.1" })
    const probe = await request("HEAD", `/d/${slug}`, { headers: { "user-agent": phone } })
    for (const answer of [crawler, probe]) {
      assert.strictEqual(answer.status, 302)
      assert.strictEqual(answer.headers.get("location"), `${target}?utm_id=gk_${slug}`)
    }
    assert.strictEqual((await call("GET", `/${id}`)).body.clicks, 0)
  })

  it("count a thousand clicks at once, every one", async () => {
    const { id, slug } = await define()
    const answers = await Promise.all(Array.from({ length: 1000 }, () => click(slug)))
    assert.isTrue(answers.every(({ status }) => status === 302))
    const ids = new Set(answers.map(({ headers }) => headers.get("location")))
    assert.strictEqual(ids.size, 1000)
    assert.strictEqual((await call("GET", `/${id}`)).body.clicks, 1000)
    const { totals } = await conversions(id)
    assert.deepInclude(totals, { clicks: 1000, uniqueClicks: 1, conversions: 0, conversionRate: 0 })
  })
})
