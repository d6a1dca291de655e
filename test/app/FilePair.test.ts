import { assert, describe, it } from "@effect/vitest"
import { FileSystem } from "@effect/platform"
import { SystemError } from "@effect/platform/Error"
import { NodeContext } from "@effect/platform-node"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { eventsApplicationId, metadataApplicationId } from "../../src/adapters/sqlite/ApplicationIds.ts"
import { applicationId } from "../../src/adapters/sqlite/events/steps/Format1.ts"
import { accept } from "../../src/adapters/sqlite/operations/Accept.ts"
import { examine } from "../../src/adapters/sqlite/operations/Doctor.ts"
import { openStudio } from "../support/access/Studio.ts"
import { dataFiles, folderStores } from "../support/Folder.ts"
import { forgetMigrations } from "../support/operations/OlderMetadata.ts"
import { doctorOn, start } from "../support/operations/FolderStart.ts"
import { withFolder } from "../support/Server.ts"
import { testApp } from "../support/TestApp.ts"

const accepted = (folder: string) => Effect.runPromise(Effect.provide(accept(folder), NodeContext.layer))

/** A folder in which a studio has sent a marker. */
const used = async (folder: string, name: string) => {
  const app = testApp(folderStores(folder))
  const studio = await openStudio(app.request, name)
  await app.close()
  return studio
}

const contentOf = (folder: string) => dataFiles.map((file) => readFileSync(join(folder, file)))

describe("I9: the two files of a data folder", () => {
  it("are marked as what they are", () =>
    withFolder(async (folder) => {
      assert.strictEqual(eventsApplicationId, applicationId)
      assert.isNull(await start(folder))
      const marks = dataFiles.map((file) => {
        const database = new Database(join(folder, file), { readonly: true })
        const mark = database.pragma("application_id", { simple: true })
        database.close()
        return mark
      })
      assert.deepStrictEqual(marks, [metadataApplicationId, eventsApplicationId])
    }))

  it("are refused with their names and the ways out, and stay as they are, when they do not belong together", () =>
    withFolder(async (parent) => {
      const [one, two] = [join(parent, "one"), join(parent, "two")]
      await used(one, "ada")
      await used(two, "bea")
      const [metadata, events] = ["metadata.sqlite", "events.sqlite"]
      const cases: ReadonlyArray<readonly [name: string, change: (folder: string) => void, expected: RegExp]> = [
        ["missing", (at) => rmSync(join(at, events)), /events\.sqlite is missing or empty.*doctor --accept/],
        ["empty", (at) => writeFileSync(join(at, events), ""), /events\.sqlite is missing or empty.*doctor --accept/],
        ["strange", (at) => copyFileSync(join(two, events), join(at, events)), /different installations/],
        [
          "swapped",
          (at) => {
            renameSync(join(at, events), join(at, "other"))
            renameSync(join(at, metadata), join(at, events))
            renameSync(join(at, "other"), join(at, metadata))
          },
          /have each other's content: exchange their names/
        ],
        [
          "no database",
          (at) => writeFileSync(join(at, events), "a".repeat(5000)),
          /is not the events file of gamekeeper/
        ],
        [
          "another program's",
          (at) => {
            rmSync(join(at, events))
            const database = new Database(join(at, events))
            database.exec("create table notes (text text)")
            database.close()
          },
          /is not the events file of gamekeeper/
        ]
      ]
      for (const [name, change, expected] of cases) {
        const folder = join(parent, name)
        mkdirSync(folder)
        for (const file of dataFiles) copyFileSync(join(one, file), join(folder, file))
        change(folder)
        const refusal = await start(folder)
        assert.match(refusal ?? "", expected, `${name}: ${refusal}`)
        assert.include(refusal, join(folder, events))
        assert.include((await doctorOn(folder)).join("\n"), refusal ?? "")
        assert.match((await start(folder)) ?? "", expected)
      }
    }))

  it("start again without the one that is lost once the operator has accepted it", () =>
    withFolder(async (folder) => {
      await used(folder, "ada")
      rmSync(join(folder, "events.sqlite"))
      assert.match((await start(folder)) ?? "", /events\.sqlite is missing/)
      assert.include(await accepted(folder), "next start")
      assert.isNull(await start(folder))
      assert.isNull(await start(folder))
      assert.strictEqual(await accepted(folder), "Nothing is to be accepted")
    }))

  it("say how many losses are accepted", () =>
    withFolder(async (folder) => {
      await used(folder, "ada")
      const lose = (count: number) => {
        const database = new Database(join(folder, "metadata.sqlite"))
        for (let loss = 0; loss < count; loss++)
          database.exec("insert into repairs (found_at, kind, text) values (1, 'lost', 'markers are missing')")
        database.close()
      }
      lose(1)
      assert.strictEqual(await accepted(folder), "1 loss was accepted")
      lose(2)
      assert.strictEqual(await accepted(folder), "2 losses were accepted")
    }))

  it("of a version without ids get them at the first start, and belong together from then on", () =>
    withFolder(async (folder) => {
      const old = join(folder, "old")
      await used(old, "ada")
      const [metadata, events] = dataFiles.map((file) => new Database(join(old, file)))
      forgetMigrations(metadata!, 16)
      metadata!.exec("pragma application_id = 0")
      events!.exec("drop table file_pair; drop table partner_note; drop table erasure")
      metadata!.close()
      events!.close()
      for (const file of dataFiles) rmSync(join(old, `${file}-sums`))
      const before = join(folder, "before")
      mkdirSync(before)
      for (const file of dataFiles) copyFileSync(join(old, file), join(before, file))
      assert.isNull(await start(old))
      assert.deepStrictEqual(
        (await doctorOn(old)).filter((text) => text.includes(".sqlite")),
        []
      )
      copyFileSync(join(before, "metadata.sqlite"), join(old, "metadata.sqlite"))
      assert.match((await start(old)) ?? "", /metadata\.sqlite is older than the ids.*doctor --accept/)
      const [untouched] = contentOf(before)
      assert.deepStrictEqual(contentOf(old)[0], untouched)
      await accepted(old)
      assert.isNull(await start(old))
      rmSync(join(before, "events.sqlite"))
      assert.match((await start(before)) ?? "", /events\.sqlite is missing or empty/)
      await accepted(before)
      assert.isNull(await start(before))
    }))

  it("are not looked for where they cannot be, which the doctor says alone", () =>
    withFolder(async (parent) => {
      const there = (name: string) => join(parent, name)
      assert.match((await doctorOn(parent)).join(), /^\S+ holds no data of a server, neither metadata\.sqlite nor /)
      assert.match(
        (await doctorOn(there("nothing"))).join(),
        /^There is no data folder \S+nothing: [^,]+, or name [^,]+$/
      )
      writeFileSync(there("file"), "")
      assert.strictEqual(
        (await doctorOn(there("file"))).join(),
        `${there("file")} is no folder: --data names the data folder`
      )
      assert.match((await doctorOn(there("file/data"))).join(), /^There is no data folder /)
      mkdirSync(there("data/metadata.sqlite"), { recursive: true })
      assert.deepStrictEqual(await doctorOn(there("data")), [
        `${there("data/metadata.sqlite")} is no file: restore a backup into another folder`
      ])
    }))

  it("are told as closed where this user cannot read them or their folder", () =>
    withFolder(async (folder) => {
      assert.isNull(await start(folder))
      const closed = (closedTo: string) =>
        Effect.runPromise(
          Effect.gen(function* () {
            const files = yield* FileSystem.FileSystem
            const denied = (path: string) =>
              new SystemError({
                module: "FileSystem",
                method: "access",
                reason: "PermissionDenied",
                pathOrDescriptor: path
              })
            const access: FileSystem.FileSystem["access"] = (path, options) =>
              path === closedTo ? Effect.fail(denied(path)) : files.access(path, options)
            const readDirectory: FileSystem.FileSystem["readDirectory"] = (path, options) =>
              path === closedTo ? Effect.fail(denied(path)) : files.readDirectory(path, options)
            const found = examine(folder, true, 400)
            return yield* Effect.provideService(found, FileSystem.FileSystem, { ...files, access, readDirectory })
          }).pipe(Effect.provide(NodeContext.layer))
        )
      const events = join(folder, "events.sqlite")
      const asServer = "(EACCES): run the doctor as the user of the server"
      assert.deepStrictEqual(await closed(events), [
        { isGood: false, text: `This user cannot read ${events} ${asServer}` }
      ])
      assert.deepStrictEqual(await closed(folder), [
        { isGood: false, text: `This user cannot look into ${folder} ${asServer}` }
      ])
    }))

  it("I11: a folder that cannot be made is refused at once", async () => {
    const refusal = (await start("/proc/nowhere/data")) ?? ""
    assert.match(
      refusal,
      process.platform === "linux"
        ? /^The data folder \/proc\/nowhere\/data cannot be written: no folder can be made there/
        : /./
    )
  })

  it("I11: a damaged file is named with its path, and so is what helps", () =>
    withFolder(async (folder) => {
      await used(folder, "ada")
      const file = join(folder, "metadata.sqlite")
      const bytes = readFileSync(file)
      bytes.fill(0xff, 100, 4096)
      writeFileSync(file, bytes)
      const refusal = (await start(folder)) ?? ""
      assert.include(refusal, file)
      assert.match(refusal, /put back both files of one backup/)
    }))
})
