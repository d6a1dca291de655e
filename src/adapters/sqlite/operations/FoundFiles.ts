import { Path } from "@effect/platform"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { existsSync, statSync } from "node:fs"
import {
  describeMismatch,
  type FoundFile,
  type Mismatch,
  mismatchOf,
  type PairIds
} from "../../../domain/operations/FilePair.ts"
import { reasonOf } from "../../local/ReasonOf.ts"
import { type DataFiles, DataFolderUnusable } from "../DataFolder.ts"
import { obstacleOf, obstacleToRead, obstacleToWrite } from "../Obstacle.ts"
import { cutOffIn, describeCutOff } from "./CutOff.ts"
import { eventsApplicationId, metadataApplicationId } from "../ApplicationIds.ts"

const tablesIn = (database: Database.Database): ReadonlySet<string> =>
  new Set(database.prepare<[], string>("select name from sqlite_schema where type = 'table'").pluck().all())

const idsIn = (database: Database.Database, tables: ReadonlySet<string>): PairIds | null =>
  tables.has("file_pair") ? (database.prepare<[], PairIds>("select own, partner from file_pair").get() ?? null) : null

const hasRow = (database: Database.Database, table: string): boolean =>
  database.prepare(`select 1 from ${table} limit 1`).get() !== undefined

const fileOf = (database: Database.Database): FoundFile => {
  const tables = tablesIn(database)
  const hasRows = (...names: ReadonlyArray<string>) => names.some((name) => tables.has(name) && hasRow(database, name))
  const applicationId = Number(database.pragma("application_id", { simple: true }))
  if (tables.size === 0) return { _tag: "Absent" }
  const ids = idsIn(database, tables)
  if (applicationId === eventsApplicationId)
    return { _tag: "Events", ids, hasHistory: hasRows("environment", "tail", "cohort") }
  const isUnmarkedMetadata = applicationId === 0 && tables.has("effect_sql_migrations")
  if (applicationId === metadataApplicationId || isUnmarkedMetadata)
    return { _tag: "Metadata", ids, hasHistory: hasRows("environments") }
  return { _tag: "Foreign" }
}

const isNoDatabase = (cause: unknown): boolean =>
  cause instanceof Database.SqliteError && cause.code === "SQLITE_NOTADB"

const putBack = "put back both files of one backup, or let gamekeeper repair make a new folder of what can be read"

/** The words of SQLite, such as "unable to open database file", say nothing that somebody could put right. */
const unreadable = (file: string, reason: string) =>
  Effect.fail(new DataFolderUnusable({ message: `${file} cannot be read: ${reason}` }))

/** What a file is, found without changing it. A damaged file fails with its path. */
const look = Effect.fnUntraced(function* (file: string) {
  const obstacle = obstacleToRead(file)
  if (obstacle !== null) return yield* unreadable(file, obstacle)
  if (!existsSync(file) || statSync(file).size === 0) return { _tag: "Absent" } satisfies FoundFile
  const opened = Effect.acquireRelease(
    Effect.try(() => new Database(file, { readonly: true, fileMustExist: true })),
    (database) => Effect.sync(() => database.close())
  )
  return yield* Effect.scoped(Effect.flatMap(opened, (database) => Effect.try(() => fileOf(database)))).pipe(
    Effect.catchAll(({ error }) =>
      isNoDatabase(error)
        ? Effect.succeed<FoundFile>({ _tag: "Foreign" })
        : unreadable(file, obstacleOf(file, error) ?? `${reasonOf(error)}, ${putBack}`)
    )
  )
})

/** The random id of an event file; null where there is none, or one without an id. */
export const eventFileId = (file: string) =>
  Effect.map(look(file), (found) => (found._tag === "Events" ? (found.ids?.own ?? null) : null))

/** Why the two files may not be opened together; null: nothing forbids it. */
export const findMismatch = ({ metadata, events }: DataFiles): Effect.Effect<Mismatch | null, DataFolderUnusable> =>
  Effect.map(Effect.all({ metadata: look(metadata), events: look(events) }), mismatchOf)

/** A start in a folder that is still empty would be one of a new server, where a backup was to be. */
const refuseCutOff = Effect.fnUntraced(function* ({ metadata, events }: DataFiles) {
  if (existsSync(metadata) || existsSync(events)) return
  const folder = (yield* Path.Path).dirname(metadata)
  const [left] = yield* Effect.orElseSucceed(cutOffIn(folder), () => [])
  if (left !== undefined) return yield* new DataFolderUnusable({ message: describeCutOff(folder, left) })
})

/** A start that fails later, at a file that it cannot write, has changed the other one by then. */
const refuseUnwritable = ({ metadata, events }: DataFiles) => {
  const obstacle = obstacleToWrite(metadata) ?? obstacleToWrite(events)
  return obstacle === null
    ? Effect.void
    : Effect.fail(
        new DataFolderUnusable({
          message: `The data folder cannot be used: ${obstacle}${obstacle.startsWith("this user") ? ". Start the server as the owner of its files, or change the owner with chown" : ""}`
        })
      )
}

/** Fails, before anything is written, where the two files do not belong together, or are not there yet. */
export const refuseMismatch = Effect.fnUntraced(function* (files: DataFiles) {
  yield* refuseUnwritable(files)
  const mismatch = yield* findMismatch(files)
  if (mismatch === null) return yield* refuseCutOff(files)
  return yield* new DataFolderUnusable({ message: describeMismatch(mismatch, files) })
})
