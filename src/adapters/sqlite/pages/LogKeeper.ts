import type Database from "better-sqlite3"
import type { LogMark } from "./LogMark.ts"

/** Who brings the write-ahead log of a database into its file. */
export interface LogKeeper {
  /** Where the log ends, as far as that is known. */
  readonly mark: LogMark
  /** Call it after each commit. */
  readonly note: () => void
  /** Empties the log. Answers false while somebody reads an older version of the database; call it again then. */
  readonly empty: () => boolean
  /** Closes the last connection that writes. */
  readonly finish: (db: Database.Database) => void
  /** Call it when all connections are closed. */
  readonly close: () => void
}

/** SQLite does it by itself. */
export const unguarded = (db: Database.Database): LogKeeper => {
  const truncate = db.prepare<[], { readonly busy: number }>("pragma wal_checkpoint(truncate)")
  return {
    mark: null,
    note: () => undefined,
    empty: () => truncate.get()?.busy !== 1,
    finish: () => db.close(),
    close: () => undefined
  }
}
