import { assert, beforeAll, describe, it } from "@effect/vitest"
import type { Caller } from "../../support/Caller.ts"
import { caller, refused } from "../../support/Caller.ts"
import { signIn, signUp } from "../../support/access/Person.ts"
import { stores } from "../../support/Stores.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { mintKey, openStudio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

const day = { relative: { step: "day", value: 7 } }

describe.each(stores)("strict at the door over %s", (_, store) => {
  const { request } = testApp(store)
  let studio: Studio
  let call: Caller
  let application: string

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
    call = caller(request, { ...studio.cookie, environment_id: String(studio.development) })
    application = `/application/${studio.applicationId}`
  })

  const demand = async (method: string, path: string, body: unknown, message: RegExp) => {
    const answer = await call(method, application + path, body)
    refused(answer, 400, "VALIDATION_FAILED")
    assert.match(answer.body.message, message)
  }

  it("C1: refuses fields that nothing reads, with the name that was meant or the place where they belong", async () => {
    const configuration = await call("POST", `${application}/v2/configuration`, { name: "Shop" })
    const path = `/v2/configuration/${configuration.body.id}`
    const metrics = [{ id: "a", data: { type: "totalEvents", name: "Login", filter: [] } }]
    await demand(
      "POST",
      "/analytics/v1/queries/insights/execute",
      { time: day, metrics, matches: "all" },
      /metrics\.0\.data\.filter: unknown field, did you mean filters\?; matches: unknown field, did you mean match\?/
    )
    await demand("PATCH", path, { isPrimary: true }, /isPrimary: .*PUT \/v2\/configuration/)
    await demand("PATCH", path, { configuration: {} }, /configuration: .*changes/)
    await demand("PATCH", path, { publishAt: "2030-01-01T00:00:00Z", changes: [] }, /publishAt: unknown field/)
    await demand("PATCH", "/v2/experiments/1", { rollout: { percent: 1 } }, /rollout: .*PATCH/)
    await demand("GET", "/v2/experiments?satus=active", undefined, /satus: unknown parameter, did you mean status\?/)
  })

  it("C1: refuses a parameter that came twice, and takes lists", async () => {
    const once = /limit: expected once, found 2 times/
    await demand("GET", "/analytics/v1/queries?limit=5&limit=6", undefined, once)
    await demand(
      "POST",
      "/analytics/v1/queries/insights/users?limit=5&limit=6",
      {},
      /metrics: missing.*; limit: expected once/
    )
    const authorization = await mintKey(request, studio, { type: "public" })
    const twice = await request("GET", "/sdk/v2/status?hash=a&hash=b", { headers: { authorization } })
    assert.deepStrictEqual([twice.status, twice.body.code], [400, "VALIDATION_FAILED"])
    assert.match(twice.body.message, /hash: expected once, found 2 times/)
    const several = await call("GET", `${application}/players?properties=platform&properties=country`)
    assert.strictEqual(several.status, 200)
  })

  it("C1: leaves what games send alone", async () => {
    const authorization = await mintKey(request, studio, { type: "public" })
    const headers = { authorization, environment: "development" }
    const body = { cohortName: "x", userIds: [], sdkPlatform: "x" }
    assert.strictEqual((await request("POST", "/sdk/v1/cohorts/membership?t=1", { headers, body })).status, 200)
  })

  it("C2: replaces no document that was left out, and keeps how a deeplink attributes", async () => {
    const made = await call("POST", `${application}/v2/configuration`, { name: "Kept", configuration: { a: 1 } })
    await demand("PUT", `/v2/configuration/${made.body.id}`, { name: "Kept" }, /configuration: missing/)
    const link = { name: "x", type: "web_url", redirectUrl: "https://studio.test" }
    const attributed = { conversionMarker: "Purchase", attributionWindowHours: 24, metadata: { a: 1 } }
    const { body } = await call("POST", `${application}/deeplinks`, { ...link, ...attributed })
    const replaced = await call("PUT", `${application}/deeplinks/${body.id}`, { ...link, name: "y" })
    assert.deepStrictEqual({ ...replaced.body, ...attributed }, replaced.body)
  })

  it("C5: refuses a heatmap of an unknown measure, and two steps of one id", async () => {
    const heatmap = { time: day, heatmapData: { id: crypto.randomUUID() } }
    const metrics = [{ id: "a", data: { type: "blah", name: "Login" } }]
    await demand("POST", "/analytics/v1/queries/heatmaps/execute", { ...heatmap, metrics }, /data\.type: expected/)
    const steps = ["Login", "Buy"].map((name) => ({ id: "a", name }))
    const funnel = { time: day, steps, conversionWindow: { step: "day", value: 1 } }
    const answer = await call("POST", `${application}/analytics/v1/queries/funnels/execute`, funnel)
    refused(answer, 422, "QUERY_INVALID")
  })

  it("C5: takes no handle away from another account of the browser", async () => {
    for (const name of ["grace", "kay"]) await signUp(request, `${name}@handles.test`)
    const first = await signIn(request, "grace@handles.test", undefined, "mine")
    const cookie = (first.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
    const second = await signIn(request, "kay@handles.test", cookie, "mine")
    refused(second, 409, "HANDLE_TAKEN")
  })

  it("D3: reads the scheme of a credential in any case, with any number of spaces", async () => {
    const key = await mintKey(request, studio, { permissions: ["markers:read"] })
    for (const scheme of ["Bearer ", "bearer ", "BEARER   ", ""]) {
      const headers = { authorization: scheme + key, environment_id: String(studio.development) }
      const answer = await request("GET", `${application}/analytics/v1/markers/types`, { headers })
      assert.strictEqual(answer.status, 200, scheme)
    }
  })

  it("G3: refuses U+0000 and __proto__ wherever they stand", async () => {
    await demand("POST", "/v2/configuration", { name: "a\u0000" }, /name: expected text without the character U\+0000/)
    const raw = '{"name":"x","keyDescriptions":{"__proto__":"lost"}}'
    const headers = { ...studio.cookie, "content-type": "application/json", "content-length": String(raw.length) }
    const answer = await request("POST", `${application}/v2/configuration`, { headers, raw })
    refused(answer, 400, "VALIDATION_FAILED")
    assert.match(answer.body.message, /keyDescriptions\.__proto__/)
  })

  it("G3: refuses U+0000 in paths and parameters, in which no store keeps it", async () => {
    const spoiled = [
      [`${application}/players/a%00b`, "unitId"],
      [`${application}/players?search=a%00b`, "search"],
      [`${application}/players?sea%00rch=a`, "sea\\\\u0000rch"],
      ["/d/a%00b", "slug"]
    ] as const
    for (const [path, name] of spoiled) {
      const answer = await call("GET", path)
      refused(answer, 400, "VALIDATION_FAILED")
      assert.match(answer.body.message, new RegExp(`${name}: expected text without the character U\\+0000`))
      assert.strictEqual((await call("HEAD", path)).status, 400)
    }
  })

  it("answers HEAD with the status and the headers of GET", async () => {
    const asked = [`${application}/players?search=a`, `${application}/players?serach=a`, "/users/me", "/health"]
    for (const path of asked) {
      const [whole, head] = [await call("GET", path), await call("HEAD", path)]
      const seen = ["cache-control", "content-type", "x-content-type-options"]
      const told = ({ status, headers }: typeof head) => [status, ...seen.map((name) => headers.get(name))]
      assert.deepStrictEqual(told(head), told(whole), path)
      assert.strictEqual(head.text, "")
    }
  })

  it("H2: names a request in its answer, by its own name where that is well formed", async () => {
    const named = await request("GET", "/health", { headers: { "x-request-id": "deploy-7" } })
    assert.strictEqual(named.headers.get("x-request-id"), "deploy-7")
    const spoiled = await request("GET", "/nowhere", { headers: { "x-request-id": "a b" } })
    assert.match(spoiled.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/)
  })
})
