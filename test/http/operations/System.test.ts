import { assert, describe, it } from "@effect/vitest"
import packageJson from "../../../package.json" with { type: "json" }
import { isCluster } from "../../support/cluster/Chosen.ts"
import { stores } from "../../support/Stores.ts"
import { envelopeKeys, testApp } from "../../support/TestApp.ts"

describe.each(stores)("system over %s", (_, store) => {
  const { request } = testApp(store)

  it("is alive, ready and says its version", async () => {
    assert.deepStrictEqual((await request("GET", "/health")).body, { status: "ok" })
    const ready = await request("GET", "/ready")
    const taking = { metadata: true, events: true, ...(isCluster ? { log: true } : {}) }
    assert.deepStrictEqual(ready.body, { status: "ready", stores: taking, problems: [] })
    assert.strictEqual((await request("GET", "/version")).body.version, packageJson.version)
  })

  const json = { "content-type": "application/json" }
  const signIn = "/users/auth/signin"
  const refusals: ReadonlyArray<readonly [string, number, string, () => ReturnType<typeof request>]> = [
    ["unknown route", 404, "ROUTE_NOT_FOUND", () => request("GET", "/nope")],
    ["known path, other method", 405, "METHOD_NOT_ALLOWED", () => request("DELETE", "/health")],
    ["malformed JSON", 400, "MALFORMED_JSON", () => request("POST", signIn, { raw: "{", headers: json })],
    ["schema", 400, "VALIDATION_FAILED", () => request("POST", signIn, { body: { email: "a@b.c" } })],
    [
      "wrong content type",
      415,
      "UNSUPPORTED_MEDIA_TYPE",
      () => request("POST", signIn, { raw: "a=1", headers: { "content-type": "text/plain", "content-length": "3" } })
    ],
    [
      "too large",
      413,
      "PAYLOAD_TOO_LARGE",
      () => request("POST", signIn, { raw: " ".repeat(1_048_577), headers: { ...json, "content-length": "1048577" } })
    ],
    ["no credential", 401, "UNAUTHENTICATED", () => request("GET", "/organization/1/api-keys")],
    [
      "no credential and a bad body: 401 comes first",
      401,
      "UNAUTHENTICATED",
      () => request("POST", "/organization/1/api-keys", { body: {} })
    ]
  ]
  it.each(refusals)("%s", async (_case, status, code, call) => {
    const answer = await call()
    assert.deepStrictEqual([answer.status, answer.body.code], [status, code])
    assert.deepStrictEqual(Object.keys(answer.body).sort(), envelopeKeys)
    assert.strictEqual(answer.headers.get("x-content-type-options"), "nosniff")
  })

  it("names the methods that a path answers", async () => {
    assert.strictEqual((await request("DELETE", "/health")).headers.get("allow"), "GET, HEAD")
  })
})
