import Database from "better-sqlite3"
import { vi } from "vitest"

/** A transaction begins in memory: the first write inside it finds that there is no space. */
const begins = /^\s*begin\b/i

/** Every SQLite write of this process is refused, as by a full disk, from `fill` to `empty`. */
export const fullDisk = () => {
  let isFull = false
  let refused = 0
  const statements: Database.Statement<Array<unknown>> = Object.getPrototypeOf(
    new Database(":memory:").prepare("select 1")
  )
  for (const method of ["run", "get", "all", "iterate"] as const) {
    const original: (...given: Array<unknown>) => unknown = statements[method]
    vi.spyOn(statements, method).mockImplementation(function (this: Database.Statement, ...given: Array<unknown>) {
      if (isFull && !this.readonly && !begins.test(this.source)) {
        refused++
        throw new Database.SqliteError("database or disk is full", "SQLITE_FULL")
      }
      return Reflect.apply(original, this, given) as never
    })
  }
  return {
    fill: () => void (isFull = true),
    empty: () => void (isFull = false),
    /** Writes refused so far. */
    refused: () => refused
  }
}
