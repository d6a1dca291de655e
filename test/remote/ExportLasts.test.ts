import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { join, relative } from "node:path"
import { MemoryStores } from "../../src/app/Layers.ts"
import { defaults } from "../../src/app/Config.ts"
import { exportServer } from "../../src/app/commands/ServerExport.ts"
import { exportMarkers } from "../../src/remote/MarkerExport.ts"
import { mintKey, mintPersonalToken, openStudio } from "../support/access/Studio.ts"
import { marker, start } from "../support/analytics/SentMarkers.ts"
import { remoteOver } from "../support/configuration/RemoteFiles.ts"
import { folderStores } from "../support/Folder.ts"
import { withFolder } from "../support/Server.ts"
import { type Stores, testApp } from "../support/TestApp.ts"

const date = new Date(start).toISOString().slice(0, 10)

/** A studio with a marker in its environment of production. */
const studioOver = async (name: string, stores: Stores) => {
  const app = testApp(stores, { retentionDays: 36_500 })
  const studio = await openStudio(app.request, name)
  const authorization = await mintKey(app.request, studio, { type: "public" })
  const sent = await app.request("POST", "/sdk/v1/markers", {
    headers: { authorization, environment: "production" },
    body: { markers: [marker("Tick", start, { userId: "u" })] }
  })
  assert.strictEqual(sent.body.ingestedMarkersCount, 1)
  return { ...app, studio }
}

/** Files that note what below the folder is brought to the disk, and what gets its name, in order. */
const noted = (folder: string, notes: Array<string>) => {
  const note = (deed: string, place: string) => {
    const name = relative(folder, place).replaceAll("\\", "/")
    if (!name.startsWith("..")) notes.push(`${deed} ${name}`)
  }
  return Effect.map(FileSystem.FileSystem, (system): FileSystem.FileSystem => ({
    ...system,
    open: (place, options) =>
      Effect.map(system.open(place, options), (file): FileSystem.File => {
        const sync = Effect.tap(file.sync, () => note("sync", place))
        return Object.create(file, { sync: { value: sync } })
      }),
    rename: (from, to) => Effect.tap(system.rename(from, to), () => note("name", to))
  }))
}

/** A file that is on the disk before it has its name, and keeps the name before anything else is written. */
const lasting = (folder: string, file: string) => {
  const home = [folder, ...file.split("/").slice(0, -1)].filter((part) => part !== "").join("/")
  const name = [folder, file].filter((part) => part !== "").join("/")
  return [`sync ${name}.part`, `name ${name}`, `sync ${home}`]
}

describe("the file of a day lasts through a power cut before it is called done", () => {
  it("in an export over the API", () =>
    withFolder(async (folder) => {
      const { request, studio } = await studioOver("remote", MemoryStores)
      const permissions = ["organization:read", "projects:read", "markers:read"]
      const { run, asked } = remoteOver(request, await mintPersonalToken(request, studio, { permissions }))
      const wish = { target: asked(folder).target, folder, format: "ndjson", from: null, to: null, types: [] } as const
      const notes: Array<string> = []
      const exported = exportMarkers({ ...wish, isFresh: false }, () => Effect.void)
      const { written } = await run(Effect.provideServiceEffect(exported, FileSystem.FileSystem, noted(folder, notes)))
      assert.strictEqual(written, 1)
      const begun = lasting("", "export.json")
      assert.deepStrictEqual(notes, [
        ...begun,
        ...lasting("", `markers/day=${date}/markers.ndjson`),
        ...begun,
        ...begun
      ])
    }))

  it("in an export of a folder", () =>
    withFolder(async (folder) => {
      const [data, to] = [join(folder, "data"), join(folder, "lake")]
      const { studio, close } = await studioOver("folder", folderStores(data))
      await close()
      const notes: Array<string> = []
      const wish = { data, to, retentionDays: 36_500, environments: ["production"], isFresh: false }
      const exported = Effect.provideServiceEffect(
        exportServer(wish, defaults),
        FileSystem.FileSystem,
        noted(to, notes)
      )
      assert.strictEqual((await Effect.runPromise(Effect.provide(exported, NodeContext.layer))).written, 1)
      const home = `${studio.applicationId}-production`
      // Each folder that is made on the way has its name on the disk before anything is in it.
      const above = ["", home, `${home}/markers`].map((each) => `sync ${each}`)
      assert.deepStrictEqual(notes, [
        ...above,
        ...lasting(home, `markers/day=${date}/markers.parquet`),
        ...lasting(home, "export.json"),
        ...lasting("", "last-export.json")
      ])
    }))
})
