import { assert, beforeEach, describe, it } from "@effect/vitest"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { MemoryStores } from "../../src/app/Layers.ts"
import { apply } from "../../src/remote/Apply.ts"
import { plan } from "../../src/remote/Plan.ts"
import { mintPersonalToken, openStudio } from "../support/access/Studio.ts"
import { remoteOver, writeJson } from "../support/configuration/RemoteFiles.ts"
import { withFolder } from "../support/Server.ts"
import { testApp } from "../support/TestApp.ts"

const permissions = [
  "organization:read",
  "projects:read",
  "configurations:read",
  "configurations:write",
  "cohorts:read",
  "cohorts:write"
]

const playing = {
  op: "and",
  children: [
    {
      type: "behaviour",
      did: true,
      marker: "Play",
      measure: "count",
      operator: "greaterThan",
      value: 0,
      window: { last: 7, unit: "day" }
    }
  ]
}

const member = { type: "cohort", cohort: "Newer", in: true }

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

  it.each([
    ["configurations", { configuration: {} }, { configuration: { a: { $link: { configuration: "Newer" } } } }],
    ["cohorts", { definition: playing }, { definition: { op: "and", children: [member] } }]
  ] as const)(
    "removes of %s those that refer to others before these, whichever was made first",
    (kind, before, after) =>
      withFolder(async (folder) => {
        const { run, asked } = remoteOver(request, token)
        const mine = { ...asked(folder), kinds: [kind] as const, prune: true, pruneAll: true }
        writeJson(folder, `${kind}/older.json`, { name: "Older", ...before })
        assert.strictEqual(await run(apply(mine)), 1)
        writeJson(folder, `${kind}/newer.json`, { name: "Newer", ...before })
        writeJson(folder, `${kind}/older.json`, { name: "Older", ...after })
        assert.strictEqual(await run(apply(mine)), 2)
        for (const each of ["older", "newer"]) rmSync(join(folder, kind, `${each}.json`))
        const { report } = await run(plan(mine))
        assert.deepStrictEqual(
          report.changes.map(({ action, name }) => `${action} ${name}`),
          ["remove Older", "remove Newer"]
        )
        assert.strictEqual(await run(apply(mine)), 2)
      })
  )
})
