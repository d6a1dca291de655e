import { assert, describe, it } from "@effect/vitest"
import { apply } from "../../src/remote/Apply.ts"
import { pull } from "../../src/remote/Pull.ts"
import { MemoryStores } from "../../src/app/Layers.ts"
import { mintPersonalToken, openStudio } from "../support/access/Studio.ts"
import { forCohortsAndQueries, readJson, remoteOver, writeJson } from "../support/configuration/RemoteFiles.ts"
import { withFolder } from "../support/Server.ts"
import { testApp } from "../support/TestApp.ts"

describe("configuration as code", () => {
  const { request } = testApp(MemoryStores)

  it("names the cohorts that questions are broken down by, so that each project has its own there", () =>
    withFolder(async (folder) => {
      const file = "queries/broken-down.json"
      const breakdowns = [{ source: "cohort", name: "Testers" }]
      const metrics = [{ id: "logins", data: { type: "totalEvents", name: "Login" } }]
      const time = { step: "day", relative: { step: "day", value: 7 } }
      writeJson(folder, "cohorts/testers.json", { name: "Testers", kind: "static" })
      writeJson(folder, file, { name: "Broken down", queryType: "insight", spec: { time, metrics, breakdowns } })
      const cohortIds = []
      for (const name of ["one", "two"]) {
        const studio = await openStudio(request, name)
        const token = await mintPersonalToken(request, studio, { permissions: forCohortsAndQueries })
        const { run, asked } = remoteOver(request, token)
        const mine = { ...asked(folder), kinds: ["cohorts", "queries"] as const }
        assert.strictEqual(await run(apply(mine)), 2)
        assert.strictEqual(await run(apply(mine)), 0)
        await run(pull(mine))
        assert.deepStrictEqual(readJson(folder, file).spec.breakdowns, breakdowns)
        const headers = { ...studio.cookie, environment_id: String(studio.production) }
        const path = `/application/${studio.applicationId}/analytics/v1`
        const [cohort] = (await request("GET", `${path}/cohorts`, { headers })).body
        const [query] = (await request("GET", `${path}/queries`, { headers })).body.items
        assert.deepStrictEqual(query.spec.breakdowns, [{ source: "cohort", name: String(cohort.id) }])
        cohortIds.push(cohort.id)
      }
      assert.notStrictEqual(cohortIds[0], cohortIds[1])
    }))
})
