import { assert, describe, it } from "@effect/vitest"
import { mintKey, openStudio } from "../support/access/Studio.ts"
import { fetchRequest, startServer, withFolder } from "../support/Server.ts"

describe("the first part of keys", () => {
  it("may be another one after a restart, and keys that were made before go on working", () =>
    withFolder(async (folder) => {
      const before = await startServer(folder)
      const request = fetchRequest(before.url)
      const studio = await openStudio(request, "ada")
      const key = await mintKey(request, studio, { type: "secret", permissions: ["analytics:read"] })
      await before.stop()
      const after = await startServer(folder, ["--key-prefix", "acme"])
      const path = `/application/${studio.applicationId}/analytics/v1/queries/insights/execute`
      const { status } = await fetchRequest(after.url)("POST", path, {
        headers: { authorization: `Bearer ${key}`, "environment-id": String(studio.production) },
        body: {
          time: { step: "day", relative: { step: "day", value: 7 } },
          metrics: [{ id: "A", data: { name: "Login", type: "totalEvents" } }]
        }
      })
      const made = await mintKey(fetchRequest(after.url), studio, { type: "secret", permissions: ["analytics:read"] })
      await after.stop()
      assert.strictEqual(status, 200)
      assert.match(made, /^acme_sk_/)
    }))
})
