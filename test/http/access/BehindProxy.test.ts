import { assert, describe, it } from "@effect/vitest"
import { refused } from "../../support/Caller.ts"
import { stores } from "../../support/Stores.ts"
import { mintKey, openStudio } from "../../support/access/Studio.ts"
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
