import { assert, beforeEach, describe, it } from "@effect/vitest"
import { MemoryStores } from "../../src/app/Layers.ts"
import { apply } from "../../src/remote/Apply.ts"
import { plan } from "../../src/remote/Plan.ts"
import { mintPersonalToken, openStudio } from "../support/access/Studio.ts"
import { remoteOver, writeJson } from "../support/RemoteFiles.ts"
import { withFolder } from "../support/Server.ts"
import { testApp } from "../support/TestApp.ts"

const permissions = ["organization:read", "projects:read", "configurations:read", "configurations:write"]

describe("configuration as code", () => {
  const { request } = testApp(MemoryStores)
  let number = 0
  let token: string

  beforeEach(async () => {
    token = await mintPersonalToken(request, await openStudio(request, `coder${number++}`), { permissions })
  })

  const link = (path: string) => ({ $link: { configuration: "Base", path: [path] } })

  it.each([
    ["no longer links to it", { price: 5 }],
    ["links to another part of it", { price: link("cap") }]
  ])("takes a part out of a configuration once the one that %s is written", (_, later) =>
    withFolder(async (folder) => {
      const { run, asked } = remoteOver(request, token)
      const mine = { ...asked(folder), kinds: ["configurations"] as const }
      writeJson(folder, "configurations/base.json", { name: "Base", configuration: { cap: 3, price: 10 } })
      writeJson(folder, "configurations/shop.json", { name: "Shop", configuration: { price: link("price") } })
      assert.strictEqual(await run(apply(mine)), 2)
      writeJson(folder, "configurations/base.json", { name: "Base", configuration: { cap: 3 } })
      writeJson(folder, "configurations/shop.json", { name: "Shop", configuration: later })
      const { report } = await run(plan(mine))
      assert.deepStrictEqual(
        report.changes.map(({ name }) => name),
        ["Shop", "Base"]
      )
      assert.strictEqual(await run(apply(mine)), 2)
      assert.strictEqual(await run(apply(mine)), 0)
    })
  )
})
