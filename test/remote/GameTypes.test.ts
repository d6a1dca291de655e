import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { MemoryStores } from "../../src/app/Layers.ts"
import { gameTypes } from "../../src/remote/GameTypes.ts"
import { mintKey, mintPersonalToken, openStudio } from "../support/access/Studio.ts"
import { remoteOver } from "../support/configuration/RemoteFiles.ts"
import { testApp } from "../support/TestApp.ts"

const permissions = ["organization:read", "projects:read", "configurations:read"]

describe("types of a game", () => {
  const { request } = testApp(MemoryStores)

  it("are of its configurations and markers, for whoever may read both", async () => {
    const studio = await openStudio(request, "typist")
    const headers = { ...studio.cookie, environment_id: String(studio.production) }
    await request("POST", `/application/${studio.applicationId}/v2/configuration`, {
      headers,
      body: { name: "Rules", configuration: { cap: 3 } }
    })
    await request("PUT", `/application/${studio.applicationId}/analytics/v1/markers/metadata`, {
      headers,
      body: { types: [{ name: "ItemBought", displayName: "Item bought" }] }
    })
    const token = await mintPersonalToken(request, studio, { permissions: [...permissions, "markers:read"] })
    const { run, asked } = remoteOver(request, token)
    const text = await run(gameTypes(asked("").target, "typescript"))
    assert.include(text, "export interface Rules {\n  readonly cap: number\n}")
    assert.include(text, "export interface ItemBoughtMarker {")
    const lesser = remoteOver(request, await mintPersonalToken(request, studio, { permissions }))
    const refused = await lesser.run(Effect.flip(gameTypes(lesser.asked("").target, "typescript")))
    assert.strictEqual(refused.code, "FORBIDDEN")
  })

  it("are for no key and no token that is unknown: it says where one is made", async () => {
    const studio = await openStudio(request, "keeper")
    for (const [token, code] of [
      [await mintKey(request, studio, { permissions: ["markers:read"] }), "CREDENTIAL_NOT_ACCEPTED"],
      ["no token at all", "UNAUTHENTICATED"]
    ] as const) {
      const { run, asked } = remoteOver(request, token)
      const refused = await run(Effect.flip(gameTypes(asked("").target, "typescript")))
      assert.strictEqual(refused.code, code, refused.message)
      assert.include(refused.message, "make a personal access token in the dashboard (Settings, My account)")
      assert.notInclude(refused.message, token)
    }
  })
})
