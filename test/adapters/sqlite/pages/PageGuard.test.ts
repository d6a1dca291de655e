import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import * as FastCheck from "effect/FastCheck"
import { cpSync, existsSync, readFileSync, rmSync, truncateSync } from "node:fs"
import { join } from "node:path"
import { runCount } from "../../../support/Runs.ts"
import { change, copyOf, flip, inFolder, openDatabase, sizeOf } from "./GuardedDatabase.ts"

const texts = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `${from + at} ${"x".repeat(200)}`)

const filled = (file: string, count = 200) => {
  const database = openDatabase(file)
  for (const text of texts(count)) database.write(text)
  return database
}

const isRefused = (file: string, name: string) =>
  assert.throws(() => openDatabase(file).close(), /damaged|malformed/, undefined, name)

describe("PageGuard", () => {
  it("I5: a changed bit anywhere in a database that was closed is seen", () =>
    inFolder((file, folder) => {
      filled(file).close()
      FastCheck.assert(
        FastCheck.property(FastCheck.nat(sizeOf(file) - 1), (at) => {
          const copy = copyOf(file, folder, "copy.sqlite")
          flip(copy, at)
          const told: Array<string> = []
          try {
            openDatabase(copy, told).close()
          } catch (cause) {
            told.push(String(cause))
          }
          assert.notDeepEqual(told, [])
        }),
        { numRuns: runCount(100) }
      )
    }))

  it("I5: a page at the place of another, and a file cut short, are seen", () =>
    inFolder((file, folder) => {
      filled(file).close()
      const pages = sizeOf(file) / 4096
      for (const [from, to] of [
        [4, 5],
        [pages - 1, pages - 2],
        [3, pages - 1]
      ] as const) {
        const copy = copyOf(file, folder, "copy.sqlite")
        let page = new Uint8Array()
        change(copy, from * 4096, (bytes) => (page = bytes.slice()), 4096)
        change(copy, to * 4096, (bytes) => bytes.set(page), 4096)
        isRefused(copy, `page ${from} at the place of ${to}`)
      }
      const copy = copyOf(file, folder, "copy.sqlite")
      truncateSync(copy, (pages - 2) * 4096)
      isRefused(copy, "cut short")
    }))

  it("I5: damage of a table that checks itself is told, and the rest can be used", () =>
    inFolder((file) => {
      const database = openDatabase(file)
      database.db.prepare("insert into checked (data) values (?)").run(new Uint8Array(20_000).fill(7))
      database.write("kept")
      database.close()
      flip(file, readFileSync(file).indexOf(new Uint8Array(1000).fill(7)))
      const reports: Array<string> = []
      const again = openDatabase(file, reports)
      assert.deepStrictEqual(again.notes(), ["kept"])
      assert.strictEqual(reports.length, 1)
      assert.include(reports[0], "checked")
      again.close()
    }))

  it("I5: a log that lost its end, its header or all of itself is seen", () =>
    inFolder((file, folder) => {
      const database = filled(file, 20)
      const size = sizeOf(`${file}-wal`)
      for (const cut of [size - 1, size - 4096 - 24, Math.floor(size / 2), 40, 0]) {
        const copy = copyOf(file, folder, "copy.sqlite")
        truncateSync(`${copy}-wal`, cut)
        isRefused(copy, `cut to ${cut}`)
      }
      for (const at of [0, 17, 30, 50, 60, size - 10]) {
        const copy = copyOf(file, folder, "copy.sqlite")
        flip(`${copy}-wal`, at)
        isRefused(copy, `bit at ${at}`)
      }
      const copy = copyOf(file, folder, "copy.sqlite")
      rmSync(`${copy}-wal`)
      isRefused(copy, "removed")
      database.close()
    }))

  it("I5: what was refused is refused again: opening it has changed nothing", () =>
    inFolder((file, folder) => {
      filled(file).close()
      const database = openDatabase(file)
      database.write("last")
      const copy = copyOf(file, folder, "copy.sqlite")
      flip(copy, 9 * 4096 + 4)
      isRefused(copy, "first")
      assert.strictEqual(sizeOf(`${copy}-wal`), sizeOf(`${file}-wal`))
      isRefused(copy, "second")
      database.close()
    }))

  it("I5: what is refused can be opened when its checksums are deleted, as the message says", () =>
    inFolder((file, folder) => {
      const database = filled(file, 20)
      const copy = copyOf(file, folder, "copy.sqlite")
      flip(`${copy}-wal`, sizeOf(`${copy}-wal`) / 2)
      isRefused(copy, "damaged log")
      assert.throws(() => openDatabase(copy).close(), /let gamekeeper repair make a new folder.*; or, .*-sums$/)
      rmSync(`${copy}-sums`)
      const reports: Array<string> = []
      const left = openDatabase(copy, reports)
      assert.isBelow(left.notes().length, 20)
      assert.strictEqual(reports.length, 1)
      left.close()
      database.close()
      const again: Array<string> = []
      openDatabase(copy, again).close()
      assert.deepStrictEqual(again, [])
    }))

  it("a copy of the running database that takes its place is used, and told", () =>
    inFolder((file, folder) => {
      const database = filled(file, 50)
      const backup = join(folder, "backup.sqlite")
      database.db.exec(`vacuum into '${backup}'`)
      for (const text of texts(2000, 50)) database.write(text)
      database.close()
      cpSync(backup, file)
      const reports: Array<string> = []
      const restored = openDatabase(file, reports)
      assert.strictEqual(restored.notes().length, 50)
      assert.strictEqual(reports.length, 1)
      restored.write("more")
      restored.close()
      const again: Array<string> = []
      openDatabase(file, again).close()
      assert.deepStrictEqual(again, [])
    }))

  it("a database without checksums gets them", () =>
    inFolder((file) => {
      filled(file, 20).close()
      rmSync(`${file}-sums`)
      openDatabase(file).close()
      assert.isTrue(existsSync(`${file}-sums`))
      flip(file, 5000)
      isRefused(file, "bit")
    }))

  it("no sound database is refused: after any writes, and killed at any moment", () => {
    const step = FastCheck.oneof(
      { weight: 6, arbitrary: FastCheck.record({ type: FastCheck.constant("write"), size: FastCheck.nat(9000) }) },
      { weight: 2, arbitrary: FastCheck.record({ type: FastCheck.constant("many"), size: FastCheck.nat(1500) }) },
      ...["delete", "vacuum", "empty", "reopen", "crash", "spill", "read", "checkpoint"].map((type) => ({
        weight: 1,
        arbitrary: FastCheck.record({ type: FastCheck.constant(type), size: FastCheck.nat(100) })
      }))
    )
    FastCheck.assert(
      FastCheck.property(FastCheck.array(step, { maxLength: 40 }), (steps) =>
        inFolder((file, folder) => {
          const reports: Array<string> = []
          let [current, copies, expected] = [file, 0, new Array<string>()]
          let database = openDatabase(current, reports)
          let reader: Database.Database | null = null
          const stopReading = () => {
            reader?.close()
            reader = null
          }
          const look = () => {
            const copy = copyOf(current, folder, `copy${++copies}.sqlite`)
            const other = openDatabase(copy, reports)
            assert.deepStrictEqual(other.notes(), expected)
            return { copy, other }
          }
          for (const { type, size } of steps) {
            const { db, guard } = database
            if (type === "write") {
              database.write("w".repeat(size))
              expected.push("w".repeat(size))
            } else if (type === "many") {
              db.transaction(() => {
                for (const text of texts(size)) db.prepare("insert into note (text) values (?)").run(text)
              })()
              guard.note()
              expected.push(...texts(size))
            } else if (type === "delete") {
              db.prepare("delete from note where id % 2 = 0").run()
              guard.note()
              expected = database.notes()
            } else if (type === "spill") {
              db.pragma("cache_size = 5")
              db.exec("begin")
              for (const text of texts(size)) db.prepare("insert into note (text) values (?)").run(text)
              db.exec("rollback")
            } else if (type === "vacuum") db.exec("pragma incremental_vacuum(1000)")
            else if (type === "empty") guard.empty()
            else if (type === "checkpoint") {
              for (const text of texts(1100)) database.write(text)
              expected.push(...texts(1100))
            } else if (type === "read") {
              if (reader === null) {
                reader = new Database(current, { readonly: true })
                reader.exec("begin")
                reader.prepare("select count(*) from note").get()
              } else stopReading()
            } else if (type === "reopen") {
              stopReading()
              database.close()
              database = openDatabase(current, reports)
            } else {
              stopReading()
              const { copy, other } = look()
              database.crash()
              database = other
              current = copy
            }
          }
          stopReading()
          look().other.close()
          database.close()
          look().other.close()
          assert.deepStrictEqual(reports, [])
        })
      ),
      { numRuns: runCount(20) }
    )
  })
})
