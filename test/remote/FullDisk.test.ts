import { FileSystem } from "@effect/platform"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { reasonOf } from "../../src/adapters/local/ReasonOf.ts"
import { FoldersOneByOne } from "../../src/adapters/node/Folders.ts"
import { MemoryStores } from "../../src/app/Layers.ts"
import { pull } from "../../src/remote/Pull.ts"
import { mintPersonalToken, openStudio } from "../support/access/Studio.ts"
import { filesIn, forCohortsAndQueries, loginsQuery, remoteOver } from "../support/configuration/RemoteFiles.ts"
import { withFolder } from "../support/Server.ts"
import { testApp } from "../support/TestApp.ts"

/** Makes a folder and those above it, as commands do. */
const makeFolder = (folder: string) =>
  Effect.flatMap(FileSystem.FileSystem, (system) => system.makeDirectory(folder, { recursive: true })).pipe(
    Effect.provide(Layer.provideMerge(FoldersOneByOne, NodeContext.layer))
  )

/** Half of each text is written, then the disk is full. */
const full = Effect.map(FileSystem.FileSystem, (system) => ({
  ...system,
  writeFileString: (file: string, text: string) =>
    Effect.zipRight(system.writeFileString(file, text.slice(0, text.length / 2)), system.remove(`${file}.none`))
}))

describe("files that are pulled onto a full disk", () => {
  const { request } = testApp(MemoryStores)

  it("are as they were, with nothing beside them, and written where they are once there is room", () =>
    withFolder(async (folder) => {
      const studio = await openStudio(request, "puller")
      const token = await mintPersonalToken(request, studio, { permissions: forCohortsAndQueries })
      const { run, asked } = remoteOver(request, token)
      const mine = { ...asked(folder), kinds: ["queries"] as const }
      const home = `/application/${studio.applicationId}/analytics/v1/queries`
      const { body } = await request("POST", home, { headers: studio.cookie, body: loginsQuery })
      await run(pull(mine))
      const file = join(folder, "queries/logins.json")
      const before = readFileSync(file, "utf8")
      chmodSync(file, 0o644)
      const changed = { ...loginsQuery, description: "Who came" }
      await request("PUT", `${home}/${body.id}`, { headers: studio.cookie, body: changed })

      const failure = await run(
        Effect.flip(Effect.provideServiceEffect(Effect.asVoid(pull(mine)), FileSystem.FileSystem, full))
      )
      // As the command says it: in words, with the place.
      assert.match(reasonOf(failure), /^there is no .*logins\.json\.part\.none \(ENOENT\)$/)
      assert.strictEqual(readFileSync(file, "utf8"), before)
      assert.deepStrictEqual(readdirSync(join(folder, "queries")), ["logins.json"])

      assert.deepStrictEqual((await run(pull(mine))).written, ["queries/logins.json"])
      assert.include(readFileSync(file, "utf8"), "Who came")
      assert.strictEqual(statSync(file).mode & 0o777, 0o644)
      assert.deepStrictEqual(filesIn(folder), ["queries/logins.json"])
    }))

  it("are refused where no folder can be made, and do not go on for ever", () =>
    withFolder(async (folder) => {
      const file = join(folder, "file")
      writeFileSync(file, "")
      for (const place of ["/proc/nothing/live", join(file, "live/deep")]) {
        const failure = await Effect.runPromise(Effect.flip(makeFolder(place)))
        assert.match(reasonOf(failure), /^(there is no \/proc\/nothing|a file is in the place of a folder).*\(E\w+\)$/)
      }
      const deep = join(folder, "one/two/three")
      await Effect.runPromise(Effect.zipRight(makeFolder(deep), makeFolder(deep)))
      assert.isTrue(statSync(deep).isDirectory())
    }))
})
