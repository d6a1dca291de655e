import { assert, describe, it } from "@effect/vitest"
import { NodeContext } from "@effect/platform-node"
import { Effect, Ref } from "effect"
import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { linesOf, repair } from "../../src/adapters/sqlite/salvage/Repair.ts"
import { backUpInto, restoreFrom } from "../../src/app/commands/BackupFiles.ts"
import { drillFrom } from "../../src/app/commands/Drill.ts"
import { defaults } from "../../src/app/Config.ts"
import { isLossless } from "../../src/domain/operations/Salvage.ts"
import { MeaningOfStop } from "../../src/ports/operations/MeaningOfStop.ts"
import { openStudio } from "../support/access/Studio.ts"
import { folderStores } from "../support/Folder.ts"
import { doctorOn, start } from "../support/operations/FolderStart.ts"
import { withFolder } from "../support/Server.ts"
import { testApp } from "../support/TestApp.ts"

/** A folder as a command leaves it that was killed before anything was in its place. */
const cutOff = (folder: string, name: string) => {
  mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, "lock"), "")
  for (const file of ["metadata.sqlite", "metadata.sqlite-wal", "events.sqlite"])
    writeFileSync(join(folder, name, file), "half")
}

const restoring = "restoring-2026-11-29T17-14-54-999Z"

/** A folder in which a studio has sent a marker, and a backup of it. */
const backedUp = async (parent: string) => {
  const [data, from] = [join(parent, "data"), join(parent, "backups")]
  const app = testApp(folderStores(data))
  await openStudio(app.request, "ada")
  await app.close()
  await Effect.runPromise(Effect.provide(backUpInto({ data, to: from, keep: null }, defaults), NodeContext.layer))
  return { data, from }
}

const restored = (from: string, data: string) =>
  Effect.runPromise(Effect.provide(restoreFrom({ from, data, force: false }, defaults), NodeContext.layer))

const repaired = (data: string, to: string) =>
  Effect.runPromise(repair({ data, to }).pipe(Effect.provide(NodeContext.layer)))

describe("a command that was cut off before anything was in its place", () => {
  for (const [command, name] of [
    ["restore", restoring],
    ["repair", "repairing"]
  ] as const)
    it(`is told to who starts a server or asks the doctor: ${command}`, () =>
      withFolder(async (parent) => {
        const folder = join(parent, "data")
        cutOff(folder, name)
        const told = `A ${command} into ${folder} was cut off before anything was in its place: run gamekeeper ${command} again, or delete ${join(folder, name)} to begin with an empty server`
        assert.strictEqual(await start(folder), told)
        assert.deepStrictEqual(await doctorOn(folder), [told])
        assert.deepStrictEqual(
          readdirSync(folder).filter((each) => !each.startsWith("lock")),
          [name]
        )
      }))

  it("is begun again as it was, and leaves nothing of the first attempt: restore", { timeout: 60_000 }, () =>
    withFolder(async (parent) => {
      const { from } = await backedUp(parent)
      const folder = join(parent, "restored")
      cutOff(folder, restoring)
      await restored(from, folder)
      assert.notInclude(readdirSync(folder), restoring)
      assert.isNull(await start(folder))
    })
  )

  it("is begun again as it was, and leaves nothing of the first attempt: repair", { timeout: 60_000 }, () =>
    withFolder(async (parent) => {
      const { data } = await backedUp(parent)
      const folder = join(parent, "repaired")
      cutOff(folder, "repairing")
      await repaired(data, folder)
      assert.notInclude(readdirSync(folder), "repairing")
      assert.isNull(await start(folder))
    })
  )

  it("is not what a folder of that name is in which somebody keeps other things", { timeout: 60_000 }, () =>
    withFolder(async (parent) => {
      const { data, from } = await backedUp(parent)
      const folder = join(parent, "own")
      for (const name of ["repairing", restoring]) {
        mkdirSync(join(folder, name), { recursive: true })
        writeFileSync(join(folder, name, "notes.txt"), "mine")
      }
      const refusals = await Promise.all(
        [restored(from, folder), repaired(data, folder)].map((each) => each.then(() => "", String))
      )
      for (const refusal of refusals) assert.match(refusal, /is not empty \(/)
      assert.deepStrictEqual(readdirSync(join(folder, restoring)), ["notes.txt"])
      assert.isNull(await start(folder))
    })
  )
})

describe("a drill", () => {
  it("that is stopped does not call restored what it deletes", { timeout: 60_000 }, () =>
    withFolder(async (parent) => {
      const { from } = await backedUp(parent)
      const meaning = Ref.unsafeMake<string | null>("it was not found out")
      const drill = drillFrom(from, parent, defaults).pipe(Effect.provideService(MeaningOfStop, meaning))
      // The threads of the stores need a build: here the drill ends where it starts what it has restored.
      const failure = await Effect.runPromise(Effect.provide(Effect.flip(drill), NodeContext.layer))
      assert.match(String(failure), /events\.sqlite cannot be opened/)
      assert.strictEqual(await Effect.runPromise(Ref.get(meaning)), "it was not found out")
    })
  )
})

describe("a repair of a folder that was restored, and that no server has used yet", () => {
  it(
    "says that nothing vouches for its pages, and nothing as lost, neither at once nor by the doctor",
    { timeout: 60_000 },
    () =>
      withFolder(async (parent) => {
        const { from } = await backedUp(parent)
        const [data, to] = [join(parent, "restored"), join(parent, "repaired")]
        await restored(from, data)
        const report = await repaired(data, to)
        assert.deepStrictEqual(linesOf(report), [])
        assert.isTrue(isLossless(report))
        assert.deepStrictEqual(report.withoutSums, ["metadata.sqlite", "events.sqlite"])
        assert.deepStrictEqual(await doctorOn(to), [])
      })
  )
})
