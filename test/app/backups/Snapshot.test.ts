import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { newestMigration } from "../../../src/adapters/sqlite/MetadataDb.ts"
import { forgetMigrations } from "../../support/operations/OlderMetadata.ts"
import { gamekeeper, root, withFolder } from "../../support/Server.ts"

const schemaOf = (file: string): unknown => {
  const metadata = new Database(file, { readonly: true })
  const found = metadata.prepare("select max(migration_id) from effect_sql_migrations").pluck().get()
  metadata.close()
  return found
}

/** Takes the metadata back by one migration, as the version before wrote them. */
const takeBack = (folder: string) => {
  const metadata = new Database(join(folder, "metadata.sqlite"))
  forgetMigrations(metadata, newestMigration)
  metadata.close()
  // A server keeps the checksums of what it writes; this connection does not.
  rmSync(join(folder, "metadata.sqlite-sums"))
}

const databases = ["metadata.sqlite", "events.sqlite"]

describe("a start that changes the data folder", () => {
  it("keeps the files as they were, the newest two times, and none where nothing changes", () =>
    withFolder(async (folder) => {
      const data = join(folder, "data")
      const snapshots = join(data, "snapshots")
      const migrate = () => gamekeeper(["migrate", "--data", data]).ended
      assert.strictEqual((await migrate()).code, 0)
      assert.strictEqual((await migrate()).code, 0)
      assert.isFalse(existsSync(snapshots))

      for (const count of [1, 2, 2]) {
        takeBack(data)
        const before = databases.map((name) => readFileSync(join(data, name)))
        const { code, err } = await migrate()
        assert.strictEqual(code, 0, err)
        const names = readdirSync(snapshots).sort()
        assert.strictEqual(names.length, count)
        const newest = join(snapshots, names.at(-1) ?? "")
        assert.include(newest, `-schema-${newestMigration - 1}-format-`)
        assert.deepStrictEqual(
          databases.map((name) => readFileSync(join(newest, name))),
          before
        )
        assert.strictEqual(schemaOf(join(data, "metadata.sqlite")), newestMigration)
      }
    }))

  it("gives files that an older version takes again, and makes none where it is told not to", () =>
    withFolder(async (folder) => {
      const data = join(folder, "data")
      await gamekeeper(["migrate", "--data", data]).ended
      takeBack(data)
      const told = await gamekeeper(["migrate", "--data", data], { GAMEKEEPER_SNAPSHOT: "off" }).ended
      assert.strictEqual(told.code, 0, told.err)
      assert.isFalse(existsSync(join(data, "snapshots")))

      takeBack(data)
      await gamekeeper(["migrate", "--data", data]).ended
      const [name] = readdirSync(join(data, "snapshots"))
      const doctor = await gamekeeper(["doctor", "--data", join(data, "snapshots", name ?? "")]).ended
      assert.notMatch(doctor.out, /BAD/)
    }))

  it("keeps what was there before an upgrade that fails again and again", () =>
    withFolder(async (folder) => {
      const data = join(folder, "data")
      const snapshots = join(data, "snapshots")
      const migrate = () => gamekeeper(["migrate", "--data", data]).ended
      await migrate()
      const metadata = new Database(join(data, "metadata.sqlite"))
      forgetMigrations(metadata, 16)
      metadata.close()
      for (const name of readdirSync(data)) if (/-(sums|shm|wal)$|^events/.test(name)) rmSync(join(data, name))
      const golden = join(root, "test", "fixtures", "events", "format-6.sqlite.gz")
      writeFileSync(join(data, "events.sqlite"), gunzipSync(readFileSync(golden)))
      // The step to the next format adds this column, and fails.
      const events = new Database(join(data, "events.sqlite"))
      events.exec("alter table key_run add column layout integer")
      events.close()

      for (let attempt = 0; attempt < 3; attempt++) {
        const { code, err } = await migrate()
        assert.strictEqual(code, 1, err)
      }
      const [first, ...more] = readdirSync(snapshots).filter((name) => name.includes("schema"))
      assert.include(first, "-schema-15-format-6")
      assert.deepStrictEqual(more, [])
      assert.strictEqual(schemaOf(join(snapshots, first ?? "", "metadata.sqlite")), 15)

      const mended = new Database(join(data, "events.sqlite"))
      mended.exec("alter table key_run drop column layout")
      mended.close()
      const { code, err } = await migrate()
      assert.strictEqual(code, 0, err)
      assert.include(err, `The files as they were before it are in ${join(snapshots, first ?? "")}`)
      assert.deepStrictEqual(readdirSync(snapshots), [first])

      takeBack(data)
      assert.strictEqual((await migrate()).code, 0)
      assert.strictEqual(readdirSync(snapshots).length, 2)
    }))
})
