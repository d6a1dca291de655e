import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { closeUntouched } from "../../../../src/adapters/sqlite/pages/ClosedLog.ts"
import { inFolder, openDatabase } from "./GuardedDatabase.ts"

describe("PageGuard beside another process that writes", () => {
  it.each([
    ["stored and brought over", "passive"],
    ["brought over and cut off", "truncate"]
  ])("what another process commits between checksums being %s keeps nobody from opening it", (_, mode) =>
    inFolder((file) => {
      for (const end of ["empty", "close"] as const) {
        const first = openDatabase(file)
        const other = new Database(file)
        other.pragma("wal_autocheckpoint = 0")
        other.pragma("schema_version")
        const { prepare } = first.db
        first.db.prepare = ((sql: string) => {
          if (sql.includes(mode)) other.exec(`insert into note (text) values ('${end}')`)
          return prepare.call(first.db, sql)
        }) as typeof prepare
        first.write("own")
        if (end === "empty") first.guard.empty()
        first.close()
        closeUntouched(other, file)
        const next = openDatabase(file)
        assert.include(next.notes(), end)
        next.close()
      }
    })
  )
})
