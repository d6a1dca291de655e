import type Database from "better-sqlite3"

/** Who brings the write-ahead log of a database into its file. */
export interface LogKeeper {
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
    note: () => undefined,
    empty: () => truncate.get()?.busy !== 1,
    finish: () => db.close(),
    close: () => undefined
  }
}
