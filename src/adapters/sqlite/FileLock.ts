import { FileSystem } from "@effect/platform"
import Database from "better-sqlite3"
import { type Cause, Effect, Either } from "effect"
import { existsSync } from "node:fs"

/** A connection to the file that has done its work; one that failed is closed, since it may hold a lock. */
const opened = (file: string, work: (database: Database.Database) => void, options: Database.Options = {}) =>
  Effect.flatMap(
    Effect.try(() => new Database(file, { timeout: 0, ...options })),
    (database) =>
      Effect.try(() => work(database)).pipe(
        Effect.as(database),
        Effect.onError(() => Effect.sync(() => database.close()))
      )
  )

const lock = (database: Database.Database): void => {
  database.pragma("locking_mode = exclusive")
  database.exec("begin exclusive")
}

/** A connection that has the file, which it makes where it is missing, for itself. The system drops the lock when the process ends, however it ends. */
export const locked = (file: string) => opened(file, lock)

/** A connection that has a file, which must be there, for itself. */
export const lockedIfThere = (file: string) => opened(file, lock, { fileMustExist: true })

/** A file that its last holder removed between the moments at which it was opened and locked is made anew: nobody else would find it locked. */
const lockedInPlace = (file: string): Effect.Effect<Database.Database, Cause.UnknownException> =>
  Effect.flatMap(locked(file), (database) => {
    if (existsSync(file)) return Effect.succeed(database)
    database.close()
    return lockedInPlace(file)
  })

/**
 * Has a file, if it can be locked, until `letGo` has run, which leaves nothing of it, or the scope closes, which leaves the file. `lock` says why it
 * could not be.
 */
export const heldFile = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const removed = Effect.forEach([file, `${file}-journal`], (each) => files.remove(each, { force: true }), {
    discard: true
  })
  const closed = (lock: Either.Either<Database.Database, unknown>) =>
    Effect.sync(() => Either.map(lock, (open) => open.close()))
  const lock = yield* Effect.acquireRelease(Effect.either(lockedInPlace(file)), closed)
  // The file goes first, for nobody must find it unlocked. Windows removes none that is open; elsewhere one that is there later is another's.
  const letGo = Effect.matchEffect(removed, {
    onFailure: () => Effect.zipRight(closed(lock), Effect.ignore(removed)),
    onSuccess: () => closed(lock)
  })
  return { lock, letGo } as const
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

/** Whether `error`, for which a file of the folder could not be locked, says that another process has it. */
export const isHeldElsewhere = (folder: string, error: unknown): Effect.Effect<boolean, never, FileSystem.FileSystem> =>
  isBusy(error) ? canLock(folder) : Effect.succeed(false)
