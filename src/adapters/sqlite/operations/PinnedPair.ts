import Database from "better-sqlite3"
import { Clock, Effect, type Scope } from "effect"
import { statSync } from "node:fs"
import { BackupFailed, orFailed, orUnreadable } from "./BackupFailed.ts"
import type { DataFiles } from "../DataFolder.ts"

/** How often the two files are looked at again because the metadata changed between both looks. */
const mostAttempts = 10_000

/** Both databases in read transactions that see one instant. */
export interface PinnedPair {
  readonly metadata: Database.Database
  readonly events: Database.Database
  /** Epoch milliseconds. */
  readonly instant: number
  /** Ends both transactions, so that the server can bring its logs into its files again. */
  readonly release: Effect.Effect<void>
}

const opened = (file: string): Effect.Effect<Database.Database, BackupFailed, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try(() => new Database(file, { readonly: true, fileMustExist: true, timeout: 5000 })).pipe(
      orFailed(`${file} cannot be read`)
    ),
    (database) => Effect.sync(() => database.close())
  )

/** A transaction of SQLite sees the database from its first statement on. */
const look = (database: Database.Database): void => {
  database.exec("begin")
  database.prepare("select 1 from sqlite_schema").get()
}

const release = (database: Database.Database): void => {
  if (database.open && database.inTransaction) database.exec("rollback")
}

const versionOf = (database: Database.Database): string => String(database.pragma("data_version", { simple: true }))

/** So many changes between looks that follow each other at once are nobody's. */
const looksInARow = 10

/**
 * Whether SQLite counts each look as a change. It does where the folder cannot be written and no server uses it, because it
 * has no index of the log in common with others then.
 */
const countsLooks = (database: Database.Database): boolean =>
  new Set(Array.from({ length: looksInARow }, () => versionOf(database))).size === looksInARow

/** Size and time of writing of a file, where it is there. */
const stateOf = (file: string): string => {
  const state = statSync(file, { bigint: true, throwIfNoEntry: false })
  return state === undefined ? "" : `${state.size} ${state.mtimeNs}`
}

/**
 * Begins a read transaction of the metadata, then one of the event file. If a third connection sees that nobody has changed the metadata
 * meanwhile, both transactions see the instant at which the second one began; otherwise both begin again. Nobody is kept from writing.
 */
export const pinPair = Effect.fnUntraced(function* (files: DataFiles) {
  const watch = yield* opened(files.metadata)
  const metadata = yield* opened(files.metadata)
  const events = yield* opened(files.events)
  const ofFiles = () => [files.metadata, `${files.metadata}-wal`].map(stateOf).join()
  const isCounted = yield* Effect.try(() => countsLooks(watch)).pipe(orUnreadable(files.metadata))
  /** Changes when anybody else changes the metadata. */
  const version = isCounted ? ofFiles : () => versionOf(watch)
  const releaseBoth = () => [metadata, events].forEach(release)
  const isPinned = Effect.try(() => {
    const before = version()
    look(metadata)
    look(events)
    if (version() === before) return true
    releaseBoth()
    return false
  }).pipe(orFailed("The data folder cannot be read"))
  for (let attempts = 0; !(yield* isPinned); attempts++) {
    if (attempts === mostAttempts)
      return yield* new BackupFailed({
        message: "The metadata changes too often for both files to be read at one instant: try again when less happens"
      })
    yield* Effect.sleep("1 millis")
  }
  const instant = yield* Clock.currentTimeMillis
  return { metadata, events, instant, release: Effect.sync(releaseBoth) } satisfies PinnedPair
})
