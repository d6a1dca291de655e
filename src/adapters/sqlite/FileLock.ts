import { FileSystem } from "@effect/platform"
import Database from "better-sqlite3"
import { Effect } from "effect"

/** A connection to the file that has done its work; one that failed is closed, since it may hold a lock. */
const opened = (file: string, work: (database: Database.Database) => void) =>
  Effect.flatMap(
    Effect.try(() => new Database(file, { timeout: 0 })),
    (database) =>
      Effect.try(() => work(database)).pipe(
        Effect.as(database),
        Effect.onError(() => Effect.sync(() => database.close()))
      )
  )

/** A connection that has the file, which it makes where it is missing, for itself. The system drops the lock when the process ends, however it ends. */
export const locked = (file: string) =>
  opened(file, (database) => {
    database.pragma("locking_mode = exclusive")
    database.exec("begin exclusive")
  })

/** Fails where another process has the lock. Others may look at the same time, without taking each other for the one that has it. */
export const lookedAt = (file: string) =>
  Effect.map(
    opened(file, (database) => void database.pragma("schema_version")),
    (database) => database.close()
  )

export const isBusy = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY")

/** What SQLite says where the system refuses a lock for another reason than that somebody has it. */
const isRefused = (error: unknown): boolean =>
  error instanceof Database.SqliteError && /^SQLITE_IOERR_(RD|UN)?LOCK$/.test(error.code)

/**
 * Whether files of a folder can be locked: SQLite says of a file system that keeps no locks, as some network shares do not, that somebody else has
 * the lock. So one of a new file is tried, which nobody else can have.
 */
export const canLock = (folder: string): Effect.Effect<boolean, never, FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (files) =>
    files.makeTempFileScoped({ directory: folder, prefix: "lock-" })
  ).pipe(
    Effect.flatMap((file) => Effect.acquireRelease(locked(file), (database) => Effect.sync(() => database.close()))),
    Effect.scoped,
    Effect.match({
      onFailure: (failure) => !("error" in failure && (isBusy(failure.error) || isRefused(failure.error))),
      onSuccess: () => true
    })
  )
