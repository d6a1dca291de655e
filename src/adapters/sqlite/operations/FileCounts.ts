import Database from "better-sqlite3"
import { Effect } from "effect"
import { join } from "node:path"
import type { Counts } from "../../../domain/operations/Backup.ts"

const tablesOf = (database: Database.Database): ReadonlyArray<string> =>
  database
    .prepare<[], string>(
      "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name"
    )
    .pluck()
    .all()

const numberOf = (database: Database.Database, sql: string): number => Number(database.prepare(sql).pluck().get())

/** Counts the rows of each table, and the markers where the database is an event file. */
export const countsOf = (database: Database.Database): Counts => {
  const tables = tablesOf(database)
  const rows = tables.map((name) => [name, numberOf(database, `select count(*) from "${name}"`)] as const)
  const markers =
    tables.includes("segment") && tables.includes("tail")
      ? { markers: numberOf(database, "select (select total(rows) from segment) + (select total(events) from tail)") }
      : {}
  return { ...Object.fromEntries(rows), ...markers }
}

/** The newest migration that the metadata has. */
export const migrationOf = (database: Database.Database): number =>
  numberOf(database, "select coalesce(max(migration_id), 0) from effect_sql_migrations")

/** The random id of the installation; null where the metadata is of a version that knew none. */
export const installationOf = (database: Database.Database): string | null =>
  tablesOf(database).includes("file_pair")
    ? (database.prepare<[], string>("select own from file_pair").pluck().get() ?? null)
    : null

/** The same of a data folder. */
export const installationIn = (folder: string) =>
  Effect.acquireUseRelease(
    Effect.try(() => new Database(join(folder, "metadata.sqlite"), { readonly: true, fileMustExist: true })),
    (database) => Effect.try(() => installationOf(database)),
    (database) => Effect.sync(() => database.close())
  )
