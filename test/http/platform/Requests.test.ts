import { assert, beforeAll, describe, it } from "@effect/vitest"
import { gzipSync } from "node:zlib"
import { refused } from "../../support/Caller.ts"
import { stores } from "../../support/Stores.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { envelopeKeys, testApp } from "../../support/TestApp.ts"

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels)

describe.each(stores)("every request over %s", (_, store) => {
  const { request } = testApp(store)
  let studio: Studio
  let roles: string

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
    roles = `/organization/${studio.organizationId}/v2/roles`
  })

  const post = (path: string, raw: string | Uint8Array, headers: Record<string, string> = {}) =>
    request("POST", path, {
      raw,
      headers: {
        ...studio.cookie,
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(raw)),
        ...headers
      }
    })

  it("is refused as invalid where its body is nested deeper than anything that reads it can follow", async () => {
    for (const body of [nested(101), nested(50_000), '{"name":'.repeat(50_000) + "1" + "}".repeat(50_000)]) {
      refused(await post(roles, body), 400, "VALIDATION_FAILED")
      refused(await post(roles, `{"name":${body},"permissions":[]}`), 400, "VALIDATION_FAILED")
    }
    refused(await post("/users/auth/signin", nested(101)), 400, "VALIDATION_FAILED")
    refused(await post("/users/auth/signin", nested(50_000)), 413, "PAYLOAD_TOO_LARGE")
  })

  it("is refused as invalid where its text holds half a character, which no store keeps as it is", async () => {
    for (const body of ['{"name":"a\\ud800","permissions":[]}', '{"permissions":[],"name":{"x":["\\udc00b"]}}']) {
      refused(await post(roles, body), 400, "VALIDATION_FAILED")
    }
    const message = "name.x.0: expected well-formed Unicode text"
    assert.strictEqual((await post(roles, '{"name":{"x":["\\udc00"]}}')).body.message, message)
    const whole = await post(roles, '{"name":"\\ud83c\\udfae 🎮","permissions":[]}')
    assert.deepStrictEqual([whole.status, whole.body.name], [201, "🎮 🎮"])
  })

  it("is refused as malformed where its body is no JSON at all", async () => {
    for (const body of ["{", "", "NaN", "\ufeff{}", "{}{}", '{"name":"x",}', nested(50_000).slice(1)]) {
      refused(await post(roles, body), 400, "MALFORMED_JSON")
    }
  })

  it("is asked for a credential before its body is looked at", async () => {
    for (const body of ["{", nested(50_000)]) refused(await post(roles, body, { cookie: "" }), 401, "UNAUTHENTICATED")
  })

  it("is read as JSON however its content type is spelled, and refused where it is another", async () => {
    const types = [
      "application/json; charset=utf-8",
      "APPLICATION/JSON",
      "application/problem+json",
      "application/vnd.studio+json;v=1"
    ]
    for (const [index, type] of types.entries()) {
      const body = JSON.stringify({ name: `Role ${index}`, permissions: [] })
      assert.strictEqual((await post(roles, body, { "content-type": type })).status, 201, type)
    }
    for (const type of ["text/plain", "multipart/form-data; boundary=x", "application/jsonp", "x/application/json"]) {
      refused(await post(roles, "{}", { "content-type": type }), 415, "UNSUPPORTED_MEDIA_TYPE")
    }
    refused(await post(roles, "", { "content-type": "multipart/form-data" }), 415, "UNSUPPORTED_MEDIA_TYPE")
  })

  it("may send its body as gzip, of no more than a mebibyte once it is inflated", async () => {
    const zip = (body: string) => post(roles, gzipSync(body), { "content-encoding": "gzip" })
    assert.strictEqual((await zip(JSON.stringify({ name: "Zipped", permissions: [] }))).status, 201)
    refused(await zip(`"${"x".repeat(1024 * 1024)}"`), 413, "PAYLOAD_TOO_LARGE")
    refused(await post(roles, "{}", { "content-encoding": "gzip" }), 400, "MALFORMED_REQUEST")
    refused(await post(roles, "{}", { "content-encoding": "br" }), 415, "UNSUPPORTED_MEDIA_TYPE")
  })

  it("is refused as too large past a mebibyte, announced or not", async () => {
    const large = `"${"x".repeat(1024 * 1024)}"`
    refused(await post(roles, large), 413, "PAYLOAD_TOO_LARGE")
    const unannounced = { "transfer-encoding": "chunked", "content-length": "0" }
    refused(await post(roles, large, unannounced), 413, "PAYLOAD_TOO_LARGE")
  })

  it("leads nowhere with a path that cannot be read, although another path of its form would", async () => {
    const headers = studio.cookie
    for (const part of ["%zz", "%", "%ff", "%c3%28", "x".repeat(601)]) {
      refused(await request("GET", `/users/${part}/picture`, { headers }), 404, "ROUTE_NOT_FOUND")
      refused(await request("DELETE", `/users/auth/accounts/${part}`, { headers }), 404, "ROUTE_NOT_FOUND")
    }
  })

  it("meets the same limits however its path is spelled", async () => {
    for (const path of [roles.replace("/o", "/%6f"), `${roles};a=b`, `${roles}/`, `${roles}?a`, `${roles}#a`]) {
      refused(await post(path, "{}", { "content-type": "text/plain" }), 415, "UNSUPPORTED_MEDIA_TYPE")
      refused(await post(path, nested(50_000)), 400, "VALIDATION_FAILED")
    }
    for (const path of [roles.toUpperCase(), `/${roles}`, roles.replace("v2/", "v2//")]) {
      refused(await post(path, nested(50_000)), 404, "ROUTE_NOT_FOUND")
    }
    const answer = await post("/%73dk/v1/markers", "{}", { cookie: "" })
    assert.deepStrictEqual(Object.keys(answer.body).sort(), [...envelopeKeys, "errorCode"].sort())
    assert.strictEqual(answer.headers.get("access-control-allow-origin"), "*")
  })

  it("says to every page that it may read the answer, and to a preflight alone what a request may be", async () => {
    const said = async (method: string, path: string) => {
      const { headers } = await request(method, path, { headers: { origin: "https://game.example" } })
      return [...headers.keys()].filter((name) => name.startsWith("access-control-")).sort()
    }
    const allowed = ["allow-headers", "allow-methods", "allow-origin", "max-age"].map(
      (name) => `access-control-${name}`
    )
    assert.deepStrictEqual(await said("OPTIONS", "/sdk/v2/configurations/status"), allowed)
    const shown = ["access-control-allow-origin", "access-control-expose-headers"]
    assert.deepStrictEqual(await said("GET", "/sdk/v2/configurations/status"), shown)
    assert.deepStrictEqual(await said("GET", "/sdk/v2/nothing"), shown)
    assert.deepStrictEqual(await said("GET", roles), [])
  })

  it("is told the methods of a path where it comes with another one", async () => {
    const answer = await request("PURGE", roles, { headers: studio.cookie })
    refused(answer, 405, "METHOD_NOT_ALLOWED")
    assert.sameMembers((answer.headers.get("allow") ?? "").split(", "), ["GET", "HEAD", "POST"])
  })
})
