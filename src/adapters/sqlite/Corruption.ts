import Database from "better-sqlite3"

/** Whether SQLite has failed because it finds the file to be damaged. Threads that only read ask, which load nothing else. */
export const isCorrupt = (cause: unknown): boolean =>
  cause instanceof Database.SqliteError && (cause.code.startsWith("SQLITE_CORRUPT") || cause.code === "SQLITE_NOTADB")
