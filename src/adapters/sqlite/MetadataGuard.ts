import Database from "better-sqlite3"
import { Context, Effect, Runtime, Schedule } from "effect"
import { DataFolderUnusable } from "./DataFolder.ts"
import { PageGuard } from "./pages/PageGuard.ts"

/** Milliseconds after which a long log that could not be brought into the file is tried again, should no commit do so. */
const noteEveryMillis = 1000

/** How often, and after how many milliseconds, emptying the log is tried again while somebody reads. */
const emptyAttempts = 100
const emptyEveryMillis = 50

/** The write-ahead log of the metadata. */
export class MetadataLog extends Context.Tag("adapters/sqlite/MetadataLog")<
  MetadataLog,
  {
    /** Empties it, so that no byte that was overwritten is left in it; gives up after some seconds in which somebody reads. */
    readonly empty: Effect.Effect<void>
  }
>() {}

const unusable = (filename: string) => (cause: unknown) => {
  const reason = cause instanceof Error ? cause.message : "unknown reason"
  return new DataFolderUnusable({ message: `The database ${filename} cannot be opened: ${reason}` })
}

/**
 * Compares every page of a metadata database with its checksum, and follows its log through a connection of its own. Open it before, and
 * close it after, the connection that writes. `start` is to be run when the tables are up to date, `note` after each commit.
 */
export const guardMetadata = Effect.fnUntraced(function* (filename: string) {
  const runtime = yield* Effect.runtime()
  const onDamage = (message: string) => Runtime.runFork(runtime)(Effect.logError(message))
  const guard = yield* Effect.acquireRelease(
    Effect.try({ try: () => new PageGuard(filename, { selfChecking: [], onDamage }), catch: unusable(filename) }),
    (opened) => Effect.sync(() => opened.close())
  )
  const db = yield* Effect.acquireRelease(
    Effect.try({ try: () => new Database(filename, { timeout: 0 }), catch: unusable(filename) }),
    (opened) => Effect.sync(() => guard.finish(opened))
  )
  yield* Effect.try({
    try: () => {
      db.pragma("journal_mode = wal")
      db.pragma("synchronous = full")
      guard.verify(db)
    },
    catch: unusable(filename)
  })
  const scope = yield* Effect.scope
  const start = Effect.sync(() => guard.start(db)).pipe(
    Effect.zipRight(
      Effect.ignore(Effect.try(() => guard.note())).pipe(
        Effect.delay(noteEveryMillis),
        Effect.forever,
        Effect.forkIn(scope)
      )
    )
  )
  const empty = Effect.sync(() => guard.empty()).pipe(
    Effect.repeat({ until: (isEmpty) => isEmpty, schedule: Schedule.spaced(emptyEveryMillis), times: emptyAttempts })
  )
  return { start, note: () => guard.note(), empty: Effect.asVoid(empty) }
})
