import { assert, beforeAll, describe, it } from "@effect/vitest"
import { MemoryStores } from "../../src/app/Layers.ts"
import { apply } from "../../src/remote/Apply.ts"
import { plan } from "../../src/remote/Plan.ts"
import { mintPersonalToken, openStudio } from "../support/access/Studio.ts"
import { remoteOver, writeJson } from "../support/RemoteFiles.ts"
import { withFolder } from "../support/Server.ts"
import { testApp } from "../support/TestApp.ts"

describe("the alias of a configuration as code", () => {
  const { request } = testApp(MemoryStores)
  let token: string

  beforeAll(async () => {
    const permissions = ["organization:read", "projects:read", "configurations:read", "configurations:write"]
    const more = ["cohorts:read", "analytics:read", "experiments:read", "roles:read"]
    token = await mintPersonalToken(request, await openStudio(request, "ada"), {
      permissions: [...permissions, ...more]
    })
  })

  it("is what its file says, and none where the file says none", () =>
    withFolder(async (folder) => {
      const { run, asked } = remoteOver(request, token)
      const say = async (content: object) => {
        writeJson(folder, "configurations/shop.json", { name: "Shop", configuration: {}, ...content })
        await run(apply(asked(folder)))
        return (await run(plan(asked(folder)))).report.changes
      }
      assert.deepStrictEqual(await say({ alias: "till" }), [])
      assert.deepStrictEqual(await say({}), [])
    }))
})
