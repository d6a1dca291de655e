import { NodeContext } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { defaults } from "../../src/app/Config.ts"
import { exportServer, lastExportOf } from "../../src/app/commands/ServerExport.ts"
import { openStudio } from "../support/access/Studio.ts"
import { serverOn } from "../support/operations/RestoredFolders.ts"
import { withFolder } from "../support/Server.ts"

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
