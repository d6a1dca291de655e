import { assert, beforeEach, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { MemoryStores } from "../../src/app/Layers.ts"
import { apply } from "../../src/remote/Apply.ts"
import { plan } from "../../src/remote/Plan.ts"
import { pull } from "../../src/remote/Pull.ts"
import type { ComparisonRequest } from "../../src/remote/ServerState.ts"
import { mintPersonalToken, openStudio, type Studio } from "../support/access/Studio.ts"
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

describe("objects of one name as code", () => {
  const { request } = testApp(MemoryStores)
  let count = 0
  let studio: Studio
  let token: string
  let home: string

  beforeEach(async () => {
    studio = await openStudio(request, `naming${count++}`)
    token = await mintPersonalToken(request, studio, { permissions: forCohortsAndQueries })
    home = `/application/${studio.applicationId}/analytics/v1/queries`
  })

  const make = async (name = loginsQuery.name): Promise<string> => {
    const query = { ...loginsQuery, name }
    const { status, body, text } = await request("POST", home, { headers: studio.cookie, body: query })
    assert.strictEqual(status, 201, text)
    return body.id
  }
  const remove = (id: string) => request("DELETE", `${home}/${id}`, { headers: studio.cookie })

  const inFolder = (
    test: (world: ReturnType<typeof remoteOver> & { readonly mine: ComparisonRequest }, folder: string) => Promise<void>
  ) =>
    withFolder((folder) => {
      const world = remoteOver(request, token)
      const mine = { ...world.asked(folder), kinds: ["queries"] as const, prune: true }
      return test({ ...world, mine }, folder)
    })

  it("are known by their ids, also once only one of them is left", () =>
    inFolder(async ({ run, mine }, folder) => {
      const [one, other] = [await make(), await make()]
      await run(pull(mine))
      const files = filesIn(folder)
      assert.sameMembers(
        files.map((file) => readJson(folder, file).id),
        [one, other]
      )
      const [kept, gone] = files.toSorted((a) => (readJson(folder, a).id === one ? -1 : 1))
      await remove(other)
      rmSync(join(folder, gone!))
      assert.deepStrictEqual((await run(plan(mine))).report.changes, [])
      await run(pull(mine))
      assert.deepStrictEqual(filesIn(folder), [kept!])
      assert.isUndefined(readJson(folder, kept!).id)
      writeJson(folder, "queries/again.json", { ...loginsQuery, id: one })
      assert.include((await run(Effect.flip(Effect.asVoid(plan(mine))))).message, "is called Logins too")
    }))

  it("have to be told apart where a file has only the name", () =>
    inFolder(async ({ run, mine }, folder) => {
      const one = await make()
      await run(pull(mine))
      assert.deepStrictEqual((await run(plan(mine))).report.changes, [])
      const other = await make()
      const { message } = await run(Effect.flip(Effect.asVoid(plan(mine))))
      assert.include(message, "the server has several queries called Logins")
      for (const id of [one, other]) assert.include(message, id)
      await run(pull(mine))
      assert.lengthOf(filesIn(folder), 2)
      assert.deepStrictEqual((await run(plan(mine))).report.changes, [])
    }))

  it("go by their name where the server has none of the id that a file says, as another project has", () =>
    inFolder(async ({ run, mine }, folder) => {
      const unknown = "00000000-0000-4000-8000-00000000abcd"
      writeJson(folder, "queries/logins.json", { ...loginsQuery, id: unknown })
      assert.strictEqual(await run(apply(mine)), 1)
      assert.deepStrictEqual((await run(plan(mine))).report.changes, [])
      writeJson(folder, "queries/again.json", { ...loginsQuery, id: unknown.replace("abcd", "dcba") })
      assert.include((await run(Effect.flip(Effect.asVoid(plan(mine))))).message, "is called Logins too")
      rmSync(join(folder, "queries/again.json"))
      await make()
      const { message } = await run(Effect.flip(Effect.asVoid(plan(mine))))
      assert.include(message, "the server has several queries called Logins")
    }))

  it("get a file beside one that cannot be read, which is told", () =>
    inFolder(async ({ run, mine }, folder) => {
      await make()
      writeJson(folder, "queries/logins.json", "<<<<<<< HEAD")
      const { written, strangers, problems } = await run(pull(mine))
      assert.deepStrictEqual([written, strangers], [["queries/logins-2.json"], []])
      assert.deepStrictEqual(problems, [
        { file: "queries/logins.json", message: "no JSON: line 1, column 1: expected a value" }
      ])
    }))

  it("keep a second file of one object, which is told, however much is pruned", () =>
    inFolder(async ({ run, mine }, folder) => {
      await make()
      writeJson(folder, "queries/a-draft.json", loginsQuery)
      writeJson(folder, "queries/b-draft.json", { ...loginsQuery, description: "Who came" })
      const { written, strangers, problems } = await run(pull(mine))
      assert.deepStrictEqual([written, strangers], [["queries/a-draft.json"], []])
      const message = "name: queries/a-draft.json is called Logins too"
      assert.deepStrictEqual(problems, [{ file: "queries/b-draft.json", message }])
      assert.strictEqual(readJson(folder, "queries/b-draft.json").description, "Who came")
    }))

  it("get files that macOS and Windows take for different ones, and that Windows does not take for a device", () =>
    inFolder(async ({ run, mine }, folder) => {
      await make()
      await make("Con")
      writeJson(folder, "queries/LOGINS.json", { ...loginsQuery, name: "Others" })
      const { written } = await run(pull({ ...mine, prune: false }))
      assert.sameMembers(written, ["queries/con-.json", "queries/logins-2.json"])
    }))
})
