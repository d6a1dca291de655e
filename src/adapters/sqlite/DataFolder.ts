import { FileSystem, Path } from "@effect/platform"
import Database from "better-sqlite3"
import { Data, Effect } from "effect"

/** The folder cannot be used; `message` is one line for the operator. */
export class DataFolderUnusable extends Data.TaggedError("DataFolderUnusable")<{ readonly message: string }> {}

const lock = (file: string) => {
  const database = new Database(file, { timeout: 0 })
  database.pragma("locking_mode = exclusive")
  database.exec("begin exclusive")
  return database
}

/**
 * Makes the folder and holds it for this process until the scope closes. The lock is the operating system's,
 * so it is gone when the process is, however it ended.
 */
export const acquireDataFolder = Effect.fn("DataFolder.acquire")(function* (folder: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const unusable = (message: string) => () => new DataFolderUnusable({ message })
  yield* files
    .makeDirectory(folder, { recursive: true })
    .pipe(
      Effect.zipRight(files.access(folder, { readable: true, writable: true })),
      Effect.mapError(unusable(`The data folder ${folder} cannot be written`))
    )
  yield* Effect.acquireRelease(
    Effect.try({
      try: () => lock(path.join(folder, "lock")),
      catch: (error) =>
        new DataFolderUnusable({
          message:
            error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY")
              ? `Another gamekeeper uses the data folder ${folder}: stop it first`
              : `The data folder ${folder} cannot be written`
        })
    }),
    (database) => Effect.sync(() => database.close())
  )
  return {
    metadata: path.join(folder, "metadata.sqlite"),
    events: path.join(folder, "events.sqlite")
  }
})
