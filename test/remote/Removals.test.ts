import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { MemoryStores } from "../../src/app/Layers.ts"
import { apply } from "../../src/remote/Apply.ts"
import { plan } from "../../src/remote/Plan.ts"
import { mintPersonalToken, openStudio, type Studio } from "../support/access/Studio.ts"
import { caller } from "../support/Caller.ts"
import { forCohortsAndQueries, loginsQuery, remoteOver, writeJson } from "../support/configuration/RemoteFiles.ts"
import { withFolder } from "../support/Server.ts"
import { testApp } from "../support/TestApp.ts"

const condition = {
  type: "stopped",
  marker: "Login",
  quietFor: { value: 14, unit: "day" },
  window: { last: 90, unit: "day" }
}

const cohort = (name: string) => ({ name, definition: { op: "and", children: [condition] } })

const files: Record<string, object> = {
  "cohorts/idle.json": cohort("Idle"),
  "cohorts/lapsed.json": cohort("Lapsed"),
  "cohorts/targeted.json": cohort("Targeted"),
  "queries/logins.json": loginsQuery,
  "queries/idle.json": {
    ...loginsQuery,
    name: "Idle logins",
    spec: { ...loginsQuery.spec, filters: [{ source: "cohort", name: "who", operator: "isIn", value: ["Idle"] }] }
  },
  "boards/morning.json": { name: "Morning", tiles: [{ query: "Logins", x: 0, y: 0, w: 6, h: 4 }] }
}

const kinds = ["cohorts", "queries", "boards"] as const

describe("pruning by files", () => {
  const { request } = testApp(MemoryStores)
  let studio: Studio
  let token: string

  beforeAll(async () => {
    studio = await openStudio(request, "pruner")
    token = await mintPersonalToken(request, studio, { permissions: [...forCohortsAndQueries, "experiments:read"] })
    await withFolder(async (folder) => {
      const { run, asked } = remoteOver(request, token)
      for (const [file, content] of Object.entries(files)) writeJson(folder, file, content)
      await run(apply(asked(folder, { kinds })))
    })
    const call = caller(request, { ...studio.cookie, environment_id: String(studio.production) })
    const root = `/application/${studio.applicationId}`
    const { body: cohorts } = await call("GET", `${root}/analytics/v1/cohorts`)
    const targeted = cohorts.find(({ name }: { readonly name: string }) => name === "Targeted").id
    const base = await call("POST", `${root}/v2/configuration`, { name: "Base", configuration: {} })
    const groups = ["control", "dear"].map((name) => ({ name, weight: 5000 }))
    const begun = await call("POST", `${root}/v2/experiments`, {
      ...{ name: "Dearer gems", unitType: "user", assignmentMode: "weightedHash", groups },
      ...{ baseConfigurationId: base.body.id, targeting: { cohortIds: [targeted] } }
    })
    assert.strictEqual(begun.status, 201, begun.text)
  })

  const cases: ReadonlyArray<readonly [what: string, gone: string, problem: RegExp | null]> = [
    ["takes what nobody needs", "cohorts/lapsed.json", null],
    [
      "refuses a cohort that a running experiment targets, as the server does",
      "cohorts/targeted.json",
      /cohorts\/Targeted: it cannot be removed: the experiment Dearer gems targets it/
    ],
    [
      "refuses a cohort that the file of a saved query names",
      "cohorts/idle.json",
      /queries\/idle\.json: refers to Idle of the cohorts, which --prune removes/
    ],
    [
      "refuses a saved query that the file of a board shows",
      "queries/logins.json",
      /boards\/morning\.json: refers to Logins of the queries, which --prune removes/
    ]
  ]

  it.each(cases)("%s", (_, gone, problem) =>
    withFolder(async (folder) => {
      for (const [file, content] of Object.entries(files)) writeJson(folder, file, content)
      rmSync(join(folder, gone))
      const { run, asked } = remoteOver(request, token)
      const pruned = asked(folder, { kinds, prune: true })
      if (problem === null) {
        const { report } = await run(plan(pruned))
        return assert.deepStrictEqual(
          report.changes.map(({ action, name }) => [action, name]),
          [["remove", "Lapsed"]]
        )
      }
      const { message } = await run(Effect.flip(Effect.asVoid(plan(pruned))))
      assert.match(message, problem)
      assert.lengthOf(message.split("\n"), 2, message)
      // Without --prune it stays, and so does what refers to it.
      assert.deepStrictEqual(
        (await run(plan(asked(folder, { kinds })))).steps.map(({ isApplied }) => isApplied),
        [false]
      )
    })
  )
})
