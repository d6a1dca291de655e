import { assert, beforeAll, describe, it } from "@effect/vitest"
import type { Studio } from "../../support/access/Studio.ts"
import { mintKey, openStudio } from "../../support/access/Studio.ts"
import { refused } from "../../support/Caller.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const insight = {
  time: { relative: { step: "day", value: 7 } },
  metrics: [{ id: "A", data: { type: "totalEvents", name: "Login" } }]
}

describe.each(stores.slice(0, 1))("what refusals say over %s", (_, store) => {
  const { request } = testApp(store)
  let studio: Studio
  let application: string

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
    application = `/application/${studio.applicationId}`
  })

  interface Sent {
    readonly body?: unknown
    readonly raw?: string
    readonly headers?: Record<string, string>
  }

  const ask = async (method: string, path: string, { headers, raw, ...sent }: Sent) => {
    const typed = raw === undefined ? {} : { "content-type": "application/json", "content-length": String(raw.length) }
    const all = { ...studio.cookie, ...typed, ...headers }
    return request(method, path, { headers: all, ...(raw === undefined ? sent : { raw }) })
  }

  it.each([
    [
      "a body and a missing header",
      "POST",
      "/analytics/v1/queries/insights/execute",
      { body: { metrics: [] } },
      /^time: missing, .*; metrics: .*; environment_id: missing, expected a positive whole number$/
    ],
    [
      "a body and a malformed header",
      "POST",
      "/analytics/v1/queries/insights/execute",
      { body: { ...insight, metrics: [] }, headers: { environment_id: "production" } },
      /^metrics: .*; environment_id: expected a positive whole number$/
    ],
    [
      "an unknown parameter, a body and a header",
      "POST",
      "/analytics/v1/queries/insights/users?pagee=2&limit=9999",
      { body: {} },
      /^time: missing, .*; environment_id: missing, .*; limit: expected .*; pagee: unknown parameter, known here: limit, cursor$/
    ],
    [
      "an unknown parameter and no JSON",
      "POST",
      "/analytics/v1/queries/insights/users?cursorr=2",
      { raw: "{", headers: { environment_id: "1" } },
      /^The body is not valid JSON: line 1, column 2: .*; cursorr: unknown parameter, did you mean cursor\?$/
    ],
    [
      "an unknown parameter and a sound body",
      "POST",
      "/analytics/v1/queries/insights/execute?limit=2",
      { body: insight, headers: { environment_id: "1" } },
      /^limit: unknown parameter, none is known here$/
    ],
    [
      "query parameters",
      "GET",
      "/players?pagee=2&limit=9999&orderBy=name",
      { headers: { environment_id: "1" } },
      /limit: expected .*; pagee: unknown parameter, .*; orderBy: unknown parameter, /
    ]
  ])("names every problem of %s at once", async (_what, method, path, sent, message) => {
    const answer = await ask(method, application + path, sent)
    refused(answer, 400, "VALIDATION_FAILED")
    assert.match(answer.body.message, message)
  })

  it("says that a text is wanted where a number or nothing comes", async () => {
    const body = { configuration: null, unit: { type: "user", distinctId: 48213377 } }
    const authorization = await mintKey(request, studio, { type: "public" })
    const answer = await request("POST", "/sdk/v2/configurations/evaluate", { headers: { authorization }, body })
    assert.strictEqual(answer.status, 400)
    assert.strictEqual(
      answer.body.message,
      "configuration: expected a text of 1 to 100 characters; unit.distinctId: expected a text of 1 to 256 characters"
    )
  })

  it.each([
    ["a short one", "{", "line 1, column 2: expected a name in double quotes or }, found the end"],
    ["one of two lines", `{"time":\n 'x'}`, "line 2, column 2: expected a value, found '"],
    [
      "a long one",
      `{"time":"${"x".repeat(70_000)}",}`,
      "line 1, column 70012: expected a name in double quotes, found }"
    ]
  ])("says where %s stops being JSON", async (_which, raw, place) => {
    const answer = await ask("POST", `${application}/v2/configuration`, { raw })
    refused(answer, 400, "MALFORMED_JSON")
    assert.strictEqual(answer.body.message, `The body is not valid JSON: ${place}`)
  })

  it.each([
    ["types=D3&format=xml", /^format: expected one of ndjson, csv, parquet$/],
    ["types=D3&types=&format=csv", /^types\.1: expected 1 to 256 characters$/],
    ["types=&format=xml", /^types\.0: expected [^;]*; format: expected [^;]*$/],
    ["format=csv&types=D3&tipes=D4", /^tipes: unknown parameter, did you mean types\?$/]
  ])("names what is wrong in %s, and no list that is right", async (query, message) => {
    const headers = { environment_id: String(studio.production) }
    const answer = await ask("GET", `${application}/analytics/v1/markers/export?${query}`, { headers })
    refused(answer, 400, "VALIDATION_FAILED")
    assert.match(answer.body.message, message)
  })

  it("names the path that was meant, and the methods that there are", async () => {
    const roles = await ask("GET", "/organization/1/roles", {})
    refused(roles, 404, "ROUTE_NOT_FOUND")
    const meant = "did you mean GET /organization/{organizationId}/v2/roles?"
    assert.strictEqual(roles.body.message, `No endpoint answers GET on this path, ${meant}`)
    const nowhere = await ask("GET", "/nowhere", {})
    assert.strictEqual(nowhere.body.message, "No endpoint answers GET on this path")
    const method = await ask("PUT", "/organization", {})
    refused(method, 405, "METHOD_NOT_ALLOWED")
    assert.strictEqual(method.body.message, `PUT is not allowed here, but ${method.headers.get("allow")}`)
  })

  it("says how a credential is written, and of those that do not work no more than that", async () => {
    const told = async (headers: Record<string, string>) => {
      const answer = await request("GET", `${application}/v2/configurations`, { headers })
      refused(answer, 401, "UNAUTHENTICATED")
      return answer.body.message
    }
    const none = await told({ "x-api-key": "sdk_x" })
    assert.match(none, /^No credential came: no header Authorization and no session; .*Authorization: Bearer KEY/)
    const broken = ["ApiKey sdk_x", '"sdk_x"', "sdk_", "Bearer gk_pat_0"]
    const messages = await Promise.all(broken.map((authorization) => told({ authorization })))
    assert.strictEqual(new Set(messages).size, 1)
    assert.match(messages[0] ?? "", /^The credential is unknown, expired or deactivated; .*without quotes$/)
  })
})
