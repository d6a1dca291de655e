import Database from "better-sqlite3"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { existsSync, readFileSync, statSync } from "node:fs"
import { MigrationRefused } from "../../../domain/operations/MigrationRefused.ts"
import { reasonOf } from "../../local/ReasonOf.ts"
import type { DataFiles } from "../DataFolder.ts"
import type { Db } from "../events/file/Db.ts"
import { eventFacts } from "../events/file/EventFacts.ts"
import { formatOf, formatVersion, openForReading } from "../events/file/EventsDb.ts"
import { newestMigration } from "../MetadataDb.ts"

/** Bytes of a log that name it: its header, with salts that change whenever it begins anew. */
const logHeader = 32

/** What tells the state of a file: its size, when it was written, and the head of its log. */
const stateOf = (file: string): ReadonlyArray<unknown> => {
  const { size, mtimeMs } = statSync(file)
  const log = `${file}-wal`
  const written = existsSync(log) ? readFileSync(log) : Buffer.alloc(0)
  return [size, Math.floor(mtimeMs), written.length, written.subarray(0, logHeader).toString("hex")]
}

const opened = (file: string, open: (file: string) => Db) =>
  Effect.acquireRelease(
    Effect.try({
      try: () => open(file),
      catch: (cause) => new MigrationRefused({ message: `${file} cannot be read: ${reasonOf(cause)}` })
    }),
    (database) => Effect.sync(() => database.close())
  )

const older = (file: string) =>
  new MigrationRefused({
    message:
      `${file} was not written by this version of gamekeeper. Run "gamekeeper migrate" with --data alone, without --to, ` +
      "and then this command again. Nothing was changed"
  })

const numberIn = (database: Db, statement: string): number => Number(database.prepare(statement).pluck().get())

/** What the metadata and the markers of a folder are, read without changing them. */
export interface SourceFolder {
  readonly metadata: Db
  readonly events: Db
  /** The random id of the installation. */
  readonly id: string
  /** Changes when anybody writes into the folder. */
  readonly state: string
  /** The environments that have not been removed, by id. */
  readonly environments: ReadonlyArray<{ readonly id: number; readonly highest: number }>
  /** Environments with markers that belong to none of them: they were removed or set aside, and stay behind. */
  readonly leftBehind: number
}

/**
 * Opens both files of a folder that this process has locked, for reading alone, until the scope closes. Files of another version are
 * refused.
 */
export const openSource = Effect.fnUntraced(function* (files: DataFiles) {
  const missing = [files.metadata, files.events].filter((file) => !existsSync(file))
  if (missing.length > 0)
    return yield* new MigrationRefused({
      message: `${missing.join(" and ")} is missing, so there is nothing to migrate`
    })
  const metadata = yield* opened(files.metadata, (file) => new Database(file, { readonly: true, fileMustExist: true }))
  const events = yield* opened(files.events, openForReading)
  const looked = Effect.try({
    try: () => {
      const migration = numberIn(metadata, "select max(migration_id) from effect_sql_migrations")
      const ids = metadata.prepare<[], number>("select id from environments order by id").pluck().all()
      const held = eventFacts(events).environments
      const known = new Set(ids)
      const state = [stateOf(files.metadata), stateOf(files.events)]
      const source: SourceFolder = {
        metadata,
        events,
        id: String(metadata.prepare("select own from file_pair").pluck().get()),
        state: createHash("sha256").update(JSON.stringify(state)).digest("hex"),
        environments: ids.map((id) => ({ id, highest: held.get(id)?.highestSequence ?? 0 })),
        leftBehind: [...held.keys()].filter((id) => !known.has(id)).length
      }
      return { migration, format: formatOf(events), source }
    },
    catch: (cause) =>
      new MigrationRefused({
        message: `The data folder cannot be read (${reasonOf(cause)}): ask "gamekeeper doctor --deep" what is wrong`
      })
  })
  if (formatOf(events) !== formatVersion) return yield* older(files.events)
  const { migration, source } = yield* looked
  return migration === newestMigration ? source : yield* older(files.metadata)
})
