import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { MemoryStores } from "../../src/app/Layers.ts"
import { defaults } from "../../src/app/Config.ts"
import { exportServer, lastExportOf } from "../../src/app/commands/ServerExport.ts"
import { exportMarkers } from "../../src/remote/MarkerExport.ts"
import { mintKey, mintPersonalToken, openStudio } from "../support/access/Studio.ts"
import { marker } from "../support/analytics/SentMarkers.ts"
import { folderStores } from "../support/Folder.ts"
import { remoteOver } from "../support/configuration/RemoteFiles.ts"
import { serverOn } from "../support/operations/RestoredFolders.ts"
import { withFolder } from "../support/Server.ts"
import { shiftedClock } from "../support/ShiftedClock.ts"
import { type Stores, testApp } from "../support/TestApp.ts"

const [hour, day] = [3_600_000, 86_400_000]

/** The noon of today in UTC, whatever time it is, and the clock that shows it. */
const atNoon = () => {
  const clock = shiftedClock()
  const noon = Math.floor(Date.now() / day) * day + 12 * hour
  clock.state.shift = noon - Date.now()
  return { clock, noon }
}

const retentionDays = 10

/** A studio whose markers are kept for ten days, with two of a day that retention reaches tomorrow at noon, and two of today. */
const studioOver = async (name: string, stores: Stores) => {
  const { clock, noon } = atNoon()
  const app = testApp(stores, { retentionDays }, clock.layer)
  const studio = await openStudio(app.request, name)
  const authorization = await mintKey(app.request, studio, { type: "public" })
  const old = noon - 9 * day
  const sent = await app.request("POST", "/sdk/v1/markers", {
    headers: { authorization, environment: "production" },
    body: {
      markers: [old - 2 * hour, old + 2 * hour, noon - hour, noon].map((at) => marker("Tick", at, { userId: "u" }))
    }
  })
  assert.strictEqual(sent.body.ingestedMarkersCount, 4)
  return { ...app, studio, clock, oldDay: new Date(old).toISOString().slice(0, 10) }
}

describe("the day that retention has reached", () => {
  it("keeps its file of the whole day in an export over the API, unless all is fetched again", () =>
    withFolder(async (folder) => {
      const { request, studio, clock, oldDay } = await studioOver("remote", MemoryStores)
      const permissions = ["organization:read", "projects:read", "markers:read"]
      const { run, asked } = remoteOver(request, await mintPersonalToken(request, studio, { permissions }))
      const wish = { target: asked(folder).target, folder, format: "ndjson", from: null, to: null, types: [] } as const
      const exported = (isFresh: boolean) => run(exportMarkers({ ...wish, isFresh }, () => Effect.void))
      const lines = () =>
        readFileSync(join(folder, "markers", `day=${oldDay}`, "markers.ndjson"), "utf8")
          .trim()
          .split("\n").length
      assert.deepInclude(await exported(false), { written: 2, kept: 0 })
      assert.strictEqual(lines(), 2)
      clock.state.shift += day
      assert.deepInclude(await exported(false), { written: 0, kept: 2 })
      assert.strictEqual(lines(), 2)
      assert.deepInclude(await exported(true), { written: 2, kept: 0 })
      assert.strictEqual(lines(), 1)
    }))

  it("keeps it in an export of a folder", () =>
    withFolder(async (folder) => {
      const [data, to] = [join(folder, "data"), join(folder, "lake")]
      const { studio, clock, oldDay, close } = await studioOver("folder", folderStores(data))
      await close()
      const exported = (isFresh: boolean) => {
        const wish = { data, to, retentionDays, environments: ["production"], isFresh }
        return Effect.runPromise(Effect.provide(exportServer(wish, defaults), [NodeContext.layer, clock.layer]))
      }
      const file = join(to, `${studio.applicationId}-production`, "markers", `day=${oldDay}`, "markers.parquet")
      assert.deepStrictEqual(await exported(false), { environments: 1, written: 2, kept: 0 })
      const whole = readFileSync(file)
      clock.state.shift += day
      assert.deepStrictEqual(await exported(false), { environments: 1, written: 0, kept: 2 })
      assert.isTrue(whole.equals(readFileSync(file)))
      assert.deepStrictEqual(await exported(true), { environments: 1, written: 2, kept: 0 })
      assert.isFalse(whole.equals(readFileSync(file)))
    }))
})

const run = <A, E>(work: Effect.Effect<A, E, NodeContext.NodeContext>) =>
  Effect.runPromise(Effect.provide(work, NodeContext.layer))

it("what a power cut has left of the notes of an export is told as that, or written anew", () =>
  withFolder(async (folder) => {
    const [data, to] = [join(folder, "data"), join(folder, "lake")]
    const server = serverOn(data)
    const { applicationId } = await openStudio(server.request, "ada")
    await server.close()
    const exported = exportServer({ data, to, retentionDays: 400, environments: [], isFresh: false }, defaults)
    const last = run(lastExportOf(data, to, defaults))
    assert.isNull(await last)
    mkdirSync(to)
    writeFileSync(join(to, "last-export.json"), '{ "exportedBy": "another program" }')
    assert.match(
      (await run(Effect.flip(lastExportOf(data, to, defaults)))).message,
      /^last-export\.json is not what an export wrote: choose another place$/
    )
    const home = `${applicationId}-production`
    mkdirSync(join(to, home))
    for (const left of ["", '{ "installation": "so']) {
      writeFileSync(join(to, "last-export.json"), left)
      assert.isNull(await run(lastExportOf(data, to, defaults)))
      writeFileSync(join(to, home, "export.json"), left)
      const { message } = await run(Effect.flip(exported))
      assert.match(
        message,
        new RegExp(`^${home}/export\\.json is empty or was cut off, as by a power cut: delete it, `)
      )
    }
    writeFileSync(join(to, home, "export.json"), "[]")
    assert.match((await run(Effect.flip(exported))).message, /export\.json is not what an export wrote: choose/)
    assert.strictEqual(readFileSync(join(to, home, "export.json"), "utf8"), "[]")
  }))
