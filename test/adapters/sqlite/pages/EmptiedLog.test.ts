import { assert, it, vi } from "@effect/vitest"
import Database from "better-sqlite3"
import { inFolder, openDatabase } from "./GuardedDatabase.ts"

it("the log is not emptied while somebody reads, and who wants it emptied does not wait for that", () =>
  inFolder((file) => {
    const { db, guard, write, notes, close } = openDatabase(file)
    write("before")
    const reader = new Database(file, { readonly: true })
    const patience = () => Number(db.pragma("busy_timeout", { simple: true }))
    const before = patience()
    assert.isAbove(before, 0)
    const waits: Array<number> = []
    const prepare = vi.spyOn(db, "prepare").mockImplementation(function (this: Database.Database, sql: string) {
      if (sql.includes("truncate")) waits.push(patience())
      return Database.prototype.prepare.call(this, sql)
    } as typeof db.prepare)
    // A first attempt stores the checksums, so that whoever begins to read then reads what is last in the log.
    reader.exec("begin")
    reader.prepare("select text from note").all()
    assert.isFalse(guard.empty())
    reader.exec("commit")
    reader.exec("begin")
    reader.prepare("select text from note").all()
    assert.isFalse(guard.empty())
    assert.deepStrictEqual([waits, patience()], [[0], before])
    reader.exec("commit")
    assert.isTrue(guard.empty())
    assert.deepStrictEqual([waits, patience()], [[0, 0], before])
    prepare.mockRestore()
    write("after")
    assert.deepStrictEqual(notes(), ["before", "after"])
    reader.close()
    close()
  }))
