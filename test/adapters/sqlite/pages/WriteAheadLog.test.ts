import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { truncateSync } from "node:fs"
import { frameHeaderBytes, inspectLog, logHeaderBytes } from "../../../../src/adapters/sqlite/pages/WriteAheadLog.ts"
import { flip, inFolder, sizeOf } from "./GuardedDatabase.ts"

const pageSize = 4096
const frameBytes = frameHeaderBytes + pageSize

/** A database with a log of some transactions, and how many frames SQLite counts in it. */
const withLog = (use: (log: string, frames: number, db: Database.Database) => void) =>
  inFolder((file) => {
    const db = new Database(file)
    db.pragma("journal_mode = wal")
    db.pragma("wal_autocheckpoint = 0")
    db.exec("create table note (text text)")
    for (let at = 0; at < 10; at++)
      db.transaction(() => {
        for (let row = 0; row < 10; row++) db.prepare("insert into note values (?)").run(`${at} ${"x".repeat(1000)}`)
      })()
    const [{ log }] = db.pragma("wal_checkpoint(noop)") as [{ log: number }]
    use(`${file}-wal`, log, db)
    db.close()
  })

describe("The write-ahead log", () => {
  it("is read as SQLite reads it", () =>
    withLog((log, frames, db) => {
      const state = inspectLog(log, pageSize)
      assert.strictEqual(state.frames, frames)
      assert.strictEqual(state.pageCount, Number(db.pragma("page_count", { simple: true })))
      assert.isNull(state.damage)
    }))

  it("has an end where a crash cut its last transaction", () =>
    withLog((log, frames) => {
      truncateSync(log, sizeOf(log) - 10)
      const state = inspectLog(log, pageSize)
      assert.isBelow(state.frames, frames)
      assert.isNull(state.damage)
    }))

  it("has an end where frames of its last transaction reached the disk in another order", () =>
    withLog((log, frames) => {
      flip(log, logHeaderBytes + (frames - 2) * frameBytes + 100)
      assert.isNull(inspectLog(log, pageSize).damage)
    }))

  it("I5: is damaged where transactions follow a frame that is not valid", () =>
    withLog((log, frames) => {
      for (const frame of [0, 1, Math.floor(frames / 2), frames - 8])
        for (const at of [3, 6, 9, 17, 2000]) {
          const place = logHeaderBytes + frame * frameBytes + at
          flip(log, place)
          assert.isNotNull(inspectLog(log, pageSize).damage, `frame ${frame}, byte ${at}`)
          flip(log, place)
        }
      assert.isNull(inspectLog(log, pageSize).damage)
    }))

  it("I5: is damaged where its header is not valid and transactions follow", () =>
    withLog((log) => {
      for (let at = 0; at < logHeaderBytes; at++) {
        flip(log, at)
        assert.isNotNull(inspectLog(log, pageSize).damage, `byte ${at}`)
        flip(log, at)
      }
    }))

  it("ends before what an older log has left behind", () =>
    withLog((log, frames, db) => {
      db.pragma("wal_checkpoint(full)")
      db.exec("insert into note values ('new')")
      const state = inspectLog(log, pageSize)
      assert.isBelow(state.frames, frames)
      assert.isNull(state.damage)
    }))

  it("is empty where there is none", () => {
    const { frames, damage, salts } = inspectLog("/nowhere/data.sqlite-wal", pageSize)
    assert.deepStrictEqual({ frames, damage, salts }, { frames: 0, damage: null, salts: null })
  })
})
