import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { refused } from "../../support/Caller.ts"
import { stores } from "../../support/Stores.ts"
import { mintKey, openStudio } from "../../support/access/Studio.ts"
import { listening } from "../../support/game/Listening.ts"
import { testApp } from "../../support/TestApp.ts"

describe.each(stores)("behind a proxy that replaces Host and drops underscores, over %s", (_, store) => {
  const { request } = testApp(store, { publicUrl: "https://games.example.com" })
  const upstream = { host: "127.0.0.1:4210" }

  it("D1: a browser of the public address signs in; another is told which setting names the address", async () => {
    const into = (headers: Record<string, string>) =>
      request("POST", "/users/auth/signin", {
        body: { email: "nobody@studio.test", password: "wrong horse battery" },
        headers: { ...upstream, ...headers }
      })
    refused(await into({ origin: "https://games.example.com" }), 401, "INVALID_CREDENTIALS")
    refused(
      await into({ origin: "https://games.example.com", "sec-fetch-site": "same-origin" }),
      401,
      "INVALID_CREDENTIALS"
    )
    for (const origin of ["http://games.example.com", "https://evil.example"]) {
      const answer = await into({ origin })
      refused(answer, 403, "CROSS_SITE_REQUEST")
      assert.include(answer.body.message, "--public-url")
    }
  })

  it("D2: environment-id counts as environment_id, which counts where both are sent", async () => {
    const studio = await openStudio(request, "ada")
    const secret = await mintKey(request, studio, {
      permissions: ["analytics:read"],
      environmentIds: [studio.production]
    })
    const ask = (headers: Record<string, string>) =>
      request("POST", `/application/${studio.applicationId}/analytics/v1/queries/insights/execute`, {
        headers: { authorization: `Bearer ${secret}`, ...headers },
        body: {
          time: { step: "day", relative: { step: "day", value: 7 } },
          metrics: [{ id: "A", visible: true, data: { name: "Login", type: "totalEvents" } }]
        }
      })
    const [production, development] = [String(studio.production), String(studio.development)]
    assert.strictEqual((await ask({ "environment-id": production })).status, 200)
    refused(await ask({ "environment-id": development }), 403, "FORBIDDEN")
    refused(await ask({ "environment-id": "x" }), 400, "VALIDATION_FAILED")
    refused(await ask({}), 400, "VALIDATION_FAILED")
    assert.strictEqual((await ask({ environment_id: production, "environment-id": development })).status, 200)
  })
})

describe("behind a proxy that asks for a password of its own", () => {
  let server: Awaited<ReturnType<typeof listening>>
  beforeAll(async () => {
    server = await listening(stores[0][1])
  })
  afterAll(() => server.close())

  const password = { authorization: `Basic ${btoa("studio:gate")}` }

  it("a signed-in browser shows both, and its session counts", async () => {
    const { cookie } = await openStudio(server.request, "ada")
    assert.strictEqual((await server.request("GET", "/users/me", { headers: { ...cookie, ...password } })).status, 200)
    const change = { headers: { ...cookie, ...password, "sec-fetch-site": "cross-site" }, body: { name: "Taken" } }
    refused(await server.request("PATCH", "/users/me", change), 403, "CROSS_SITE_REQUEST")
  })

  it("a key that is sent like that is refused, and told how one is sent", async () => {
    const answer = await server.request("GET", "/users/me", { headers: password })
    refused(answer, 401, "UNAUTHENTICATED")
    assert.include(answer.body.message, "Authorization: Bearer KEY")
  })
})
