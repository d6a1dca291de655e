import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { MemoryStores } from "../../src/app/Layers.ts"
import { apply } from "../../src/remote/Apply.ts"
import { plan } from "../../src/remote/Plan.ts"
import { pull } from "../../src/remote/Pull.ts"
import { mintPersonalToken, openStudio, type Studio } from "../support/access/Studio.ts"
import { caller } from "../support/Caller.ts"
import { forCohortsAndQueries, readJson, remoteOver, writeJson } from "../support/configuration/RemoteFiles.ts"
import { withFolder } from "../support/Server.ts"
import { testApp } from "../support/TestApp.ts"

const file = "cohorts/shoppers.json"

const shoppers = (experiment: string) => ({
  name: "Shoppers",
  definition: {
    op: "and",
    children: [{ type: "experiment", experiment, group: `${experiment}/dear`, in: true }]
  }
})

describe("configuration as code", () => {
  const { request } = testApp(MemoryStores)
  let studio: Studio
  let token: string
  let running: number

  const begin = async (name: string, status?: "draft") => {
    const call = caller(request, { ...studio.cookie, environment_id: String(studio.production) })
    const root = `/application/${studio.applicationId}/v2`
    const base = await call("POST", `${root}/configuration`, { name: `of ${name} ${status}`, configuration: {} })
    const groups = ["control", "dear"].map((group) => ({ name: group, weight: 5000 }))
    const { body } = await call("POST", `${root}/experiments`, {
      ...{ name, unitType: "user", assignmentMode: "weightedHash", baseConfigurationId: base.body.id, groups },
      ...(status === undefined ? {} : { status })
    })
    return body.id
  }

  beforeAll(async () => {
    studio = await openStudio(request, "coder")
    token = await mintPersonalToken(request, studio, { permissions: [...forCohortsAndQueries, "experiments:read"] })
    running = await begin("Dearer gems")
    await begin("Dearer gems", "draft")
    await begin("Planned", "draft")
  })

  it("means the experiment that was started where a draft has the name as well", () =>
    withFolder(async (folder) => {
      const { run, asked } = remoteOver(request, token)
      const mine = { ...asked(folder), kinds: ["cohorts"] as const }
      writeJson(folder, file, shoppers("Dearer gems"))
      assert.strictEqual(await run(apply(mine)), 1)
      const headers = { ...studio.cookie, environment_id: String(studio.production) }
      const [cohort] = (await request("GET", `/application/${studio.applicationId}/analytics/v1/cohorts`, { headers }))
        .body
      assert.strictEqual(cohort.definition.children[0].experimentId, running)
      await run(pull(mine))
      assert.deepStrictEqual(readJson(folder, file).definition.children, shoppers("Dearer gems").definition.children)
      assert.strictEqual(await run(apply(mine)), 0)
    }))

  it("knows no draft by name, since nothing can refer to one: a plan says what the server would refuse", () =>
    withFolder(async (folder) => {
      const { run, asked } = remoteOver(request, token)
      const mine = { ...asked(folder), kinds: ["cohorts"] as const }
      writeJson(folder, file, shoppers("Planned"))
      const refused = await run(Effect.flip(plan(mine)))
      assert.match(refused.message, /Planned/)
    }))

  it.each(["experiments", "cohorts"])(
    "writes no ids in the place of names where the server cannot tell those of %s",
    (path) =>
      withFolder(async (folder) => {
        const { run, asked } = remoteOver(request, token)
        const before = (_method: string, asks: string) =>
          asks.endsWith(`/${path}`) ? Promise.reject(new Error("cut")) : Promise.resolve()
        const cut = remoteOver(request, token, before)
        const kinds = [path === "cohorts" ? "queries" : "cohorts"] as const
        await run(pull({ ...asked(folder), kinds }))
        const refused = await cut.run(Effect.flip(pull({ ...cut.asked(folder), kinds })))
        assert.include(String(refused), "cannot be reached")
      })
  )
})
