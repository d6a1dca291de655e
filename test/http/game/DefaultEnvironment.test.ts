import { assert, beforeAll, describe, it } from "@effect/vitest"
import { mintKey, openStudio } from "../../support/access/Studio.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

type Meant = "development" | "production" | "none"

/** What docs/api.md says of each endpoint for games, where neither `environment` nor `isstudio` is sent. */
const endpoints: ReadonlyArray<readonly [method: string, path: string, meant: Meant, body?: object]> = [
  ["POST", "/sdk/v1/markers", "development", { markers: [{ eventName: "Sent", timestamp: 1_700_000_000 }] }],
  ["POST", "/sdk/v1/cohorts/membership", "development", { cohortName: "none", userIds: ["ada"] }],
  ["GET", "/sdk/v1/configurations", "development"],
  ["GET", "/sdk/v1/experiments", "development"],
  ["POST", "/sdk/v1/experiments/assignments", "development", { playerIds: [1] }],
  ["POST", "/sdk/v1/servers/roblox/one", "development", { players: [] }],
  ["GET", "/sdk/v1/requests", "development"],
  ["PUT", "/sdk/v1/requests/started", "development", []],
  ["POST", "/sdk/v1/requests/completed", "development", []],
  ["GET", "/sdk/v1/heatmaps/list", "none"],
  ["GET", "/sdk/v1/latest/version", "none"],
  ["GET", "/sdk/v2/bootstrap", "production"],
  ["GET", "/sdk/v2/status", "production"],
  ["GET", "/sdk/v2/configurations", "production"],
  ["POST", "/sdk/v2/configurations/evaluate", "production", { unit: { type: "user", distinctId: "ada" } }],
  ["GET", "/sdk/v2/experiments/active?unit-type=user", "production"],
  ["POST", "/sdk/v2/experiments/assignments/bulk", "production", { unitType: "user", units: [{ distinctId: "ada" }] }],
  ["GET", "/sdk/v2/configs/none?distinctId=ada", "production"],
  ["GET", "/sdk/v2/experiments/assignment?configName=none&id=ada", "production"],
  ["GET", "/sdk/v2/stream", "production"]
]

describe.each(stores)("the environment that a game does not name, over %s", (_, store) => {
  const { request } = testApp(store)
  const keys = { production: "", development: "" }

  beforeAll(async () => {
    const studio = await openStudio(request, "ada")
    for (const name of ["production", "development"] as const)
      keys[name] = await mintKey(request, studio, { type: "public", environmentIds: [studio[name]] })
  })

  for (const [method, path, meant, body] of endpoints) {
    it(`${method} ${path} means ${meant}`, async () => {
      const isRefused = async (authorization: string) => {
        const { status } = await request(method, path, {
          headers: { authorization },
          ...(body === undefined ? {} : { body })
        })
        return status === 403
      }
      assert.strictEqual(await isRefused(keys.development), meant === "production")
      // A stream that is allowed never ends.
      if (!path.endsWith("/stream")) assert.strictEqual(await isRefused(keys.production), meant === "development")
    })
  }
})
