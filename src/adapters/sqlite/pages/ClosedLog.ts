import Database from "better-sqlite3"

/**
 * Closes a connection without bringing the log into the file, as SQLite does when the last connection closes: it is not the last while
 * another reads, and one that may only read leaves the log alone.
 */
export const closeUntouched = (db: Database.Database, file: string): void => {
  let other: Database.Database | null = null
  try {
    other = new Database(file, { readonly: true })
    other.pragma("schema_version")
  } catch {
    // The file cannot be read, so there is nothing that could be brought into it.
  }
  db.close()
  other?.close()
}
