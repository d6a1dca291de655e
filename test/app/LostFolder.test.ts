import { assert, describe, it } from "@effect/vitest"
import { Layer, Logger } from "effect"
import { renameSync } from "node:fs"
import { join } from "node:path"
import { until } from "../support/analytics/Analyst.ts"
import { openStudio, type Studio } from "../support/access/Studio.ts"
import { caller, refused } from "../support/Caller.ts"
import { folderStores } from "../support/Folder.ts"
import { gameOf } from "../support/game/Game.ts"
import { withFolder } from "../support/Server.ts"
import { testApp } from "../support/TestApp.ts"

const serverOn = (folder: string) => {
  const logged: Array<string> = []
  const logger = Logger.replace(
    Logger.defaultLogger,
    Logger.make(({ logLevel, message }) => logged.push(`${logLevel.label} ${String(message)}`))
  )
  return { ...testApp(folderStores(folder).pipe(Layer.provide(logger)), {}, logger), logged }
}

const marker = () => ({ timestamp: Date.now(), eventName: "Level" })

describe("I10: the data folder is moved away under the server", () => {
  it("refuses every write from then on, goes on reading, leaves the path to a second server, and writes again once it is back", () =>
    withFolder(async (parent) => {
      const folder = join(parent, "data")
      const first = serverOn(folder)
      const studio: Studio = await openStudio(first.request, "ada")
      const game = await gameOf(first.request, studio)
      const call = caller(first.request, studio.cookie)
      const environments = `/application/${studio.applicationId}/environments`
      assert.strictEqual((await game.send([marker()])).status, 200)

      // A reader has the file open from its first question on, and could not open it any more after the move.
      assert.strictEqual(await game.count("Level"), 1)

      renameSync(folder, join(parent, "moved"))
      const { status, body } = await game.send([marker()])
      assert.deepStrictEqual([status, body.code, body.errorCode], [503, "STORAGE_LOST", "STORAGE_LOST"])

      refused(await call("POST", environments, { name: "Lost" }), 503, "STORAGE_LOST")
      assert.strictEqual((await call("GET", environments)).body.length, 2)
      assert.strictEqual(await game.count("Level"), 1)
      const complaints = () =>
        first.logged.filter((line) => line.startsWith("ERROR The data folder was deleted")).length
      await until(() => complaints() > 0)

      const second = serverOn(folder)
      const other = await gameOf(second.request, await openStudio(second.request, "bea"))
      assert.strictEqual((await other.send([marker()])).status, 200)
      assert.strictEqual((await game.send([marker()])).status, 503)
      await second.close()
      assert.strictEqual(complaints(), 1)

      renameSync(folder, join(parent, "other"))
      renameSync(join(parent, "moved"), folder)
      assert.strictEqual((await game.send([marker()])).status, 200)
      assert.strictEqual((await call("POST", environments, { name: "Found" })).status, 201)
      assert.strictEqual(await game.count("Level"), 2)
      await first.close()

      const again = serverOn(folder)
      const seen = await again.request("GET", environments, { headers: studio.cookie })
      assert.strictEqual(seen.body.length, 3)
      await again.close()
    }))
})
