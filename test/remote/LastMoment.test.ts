import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { apply } from "../../src/remote/Apply.ts"
import { MemoryStores } from "../../src/app/Layers.ts"
import { mintPersonalToken, openStudio, type Studio } from "../support/access/Studio.ts"
import { caller } from "../support/Caller.ts"
import { forCohortsAndQueries, loginsQuery, remoteOver, writeJson } from "../support/configuration/RemoteFiles.ts"
import { withFolder } from "../support/Server.ts"
import { testApp } from "../support/TestApp.ts"

const lapsed = {
  name: "Lapsed",
  definition: {
    op: "and",
    children: [
      { type: "stopped", marker: "Login", window: { last: 90, unit: "day" }, quietFor: { value: 14, unit: "day" } }
    ]
  }
}

const kinds = [
  ["cohorts", lapsed, /COHORT_CHANGED/],
  ["queries", loginsQuery, /QUERY_CHANGED/]
] as const

describe("configuration as code", () => {
  const { request } = testApp(MemoryStores)
  let studio: Studio
  let token: string

  beforeAll(async () => {
    studio = await openStudio(request, "coder")
    token = await mintPersonalToken(request, studio, { permissions: forCohortsAndQueries })
  })

  it.each(kinds)("leaves %s that somebody changes in the last moment as they made them", (kind, content, code) =>
    withFolder(async (folder) => {
      const only = { kinds: [kind] }
      const file = `${kind}/object.json`
      writeJson(folder, file, content)
      const quiet = remoteOver(request, token)
      await quiet.run(apply(quiet.asked(folder, only)))
      const call = caller(request, { ...studio.cookie, environment_id: String(studio.production) })
      const base = `/application/${studio.applicationId}/analytics/v1/${kind}`
      const listed = (await call("GET", base)).body
      const [{ id }] = listed.items ?? listed
      writeJson(folder, file, { ...content, description: "of the files" })
      let isChanged = false
      const { run, asked } = remoteOver(request, token, async (method) => {
        if (method !== "PUT" || isChanged) return
        isChanged = true
        const changed = await call("PUT", `${base}/${id}`, { ...content, description: "of somebody" })
        assert.strictEqual(changed.status, 200)
      })
      const refused = await run(Effect.flip(apply(asked(folder, only))))
      assert.match(refused.message, code)
      assert.strictEqual((await call("GET", `${base}/${id}`)).body.description, "of somebody")
    })
  )
})
