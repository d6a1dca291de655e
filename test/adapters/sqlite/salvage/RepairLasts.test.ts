import { assert, describe, it } from "@effect/vitest"
import { NodeContext } from "@effect/platform-node"
import { Effect } from "effect"
import { existsSync } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { join } from "node:path"
import { vi } from "vitest"
import { repair } from "../../../../src/adapters/sqlite/salvage/Repair.ts"
import { openStudio } from "../../../support/access/Studio.ts"
import { folderStores } from "../../../support/Folder.ts"
import { withFolder } from "../../../support/Server.ts"
import { testApp } from "../../../support/TestApp.ts"

describe("a repaired folder", () => {
  it("lasts through a power cut, and is never one with events and without metadata", { timeout: 60_000 }, () =>
    withFolder(async (parent) => {
      const [data, to] = [join(parent, "data"), join(parent, "repaired")]
      const app = testApp(folderStores(data))
      await openStudio(app.request, "ada")
      await app.close()
      const handle = await open(parent)
      const shared: FileHandle = Object.getPrototypeOf(handle)
      await handle.close()
      const synced: Array<ReadonlyArray<string>> = []
      const spy = vi.spyOn(shared, "sync").mockImplementation(async () => {
        synced.push(["metadata.sqlite", "events.sqlite"].filter((name) => existsSync(join(to, name))))
      })
      await Effect.runPromise(Effect.provide(repair({ data, to }), NodeContext.layer)).finally(() => spy.mockRestore())
      assert.deepStrictEqual(synced, [["metadata.sqlite"], ["metadata.sqlite", "events.sqlite"]])
    })
  )
})
