import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { MemoryStores } from "../../src/app/Layers.ts"
import { plan } from "../../src/remote/Plan.ts"
import { pull } from "../../src/remote/Pull.ts"
import { mintPersonalToken, openStudio, type Request } from "../support/access/Studio.ts"
import {
  filesIn,
  forCohortsAndQueries,
  loginsQuery,
  readJson,
  remoteOver,
  writeJson
} from "../support/configuration/RemoteFiles.ts"
import { withFolder } from "../support/Server.ts"
import { testApp } from "../support/TestApp.ts"

const forConfigurations = ["organization:read", "projects:read", "configurations:read"]

describe("names that show nothing, as code", () => {
  const { request } = testApp(MemoryStores)

  /** The server as if it had objects that were called so before such names were refused. */
  const older: Request = async (method, path, call) => {
    const answer = await request(method, path, call)
    return method === "GET" ? { ...answer, text: answer.text.replaceAll('"Logins"', '"  "') } : answer
  }

  it("are read where somebody has given them before, and keep nobody from the other objects", () =>
    withFolder(async (folder) => {
      const studio = await openStudio(request, "blank")
      const token = await mintPersonalToken(request, studio, { permissions: forCohortsAndQueries })
      const home = `/application/${studio.applicationId}/analytics/v1/queries`
      const made = await request("POST", home, { headers: studio.cookie, body: loginsQuery })
      assert.strictEqual(made.status, 201, made.text)
      const { run, asked } = remoteOver(older, token)
      const mine = asked(folder, { kinds: ["queries"] })
      await run(pull(mine))
      const [file = ""] = filesIn(folder)
      assert.strictEqual(readJson(folder, file).name, "  ")
      const refused = await run(Effect.flip(Effect.asVoid(plan(mine))))
      assert.include(refused.message, `${file}: name: expected 1 to 100 characters, not only spaces`)
      writeJson(folder, file, { ...loginsQuery, name: "Others" })
      const { report } = await run(plan(mine))
      assert.deepStrictEqual(
        report.changes.map(({ action, name }) => [action, name]),
        [
          ["add", "Others"],
          ["remove", "  "]
        ]
      )
    }))

  it("are read as aliases too", () =>
    withFolder(async (folder) => {
      const studio = await openStudio(request, "blankalias")
      const token = await mintPersonalToken(request, studio, { permissions: forConfigurations })
      const headers = { ...studio.cookie, environment_id: String(studio.production) }
      const body = { name: "Shop", alias: "Logins" }
      const made = await request("POST", `/application/${studio.applicationId}/v2/configuration`, { headers, body })
      assert.strictEqual(made.status, 201, made.text)
      const { run, asked } = remoteOver(older, token)
      await run(pull(asked(folder, { kinds: ["configurations"] })))
      assert.include(
        filesIn(folder).map((file) => readJson(folder, file).alias),
        "  "
      )
    }))
})
