import type Database from "better-sqlite3"

/** A connection of the driver. */
export type Db = Database.Database
