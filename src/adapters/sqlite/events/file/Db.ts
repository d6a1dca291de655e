import type Database from "better-sqlite3"

/** A connection of the SQLite driver. */
export type Db = Database.Database
