import { type Error as PlatformErrors, FileSystem, Path } from "@effect/platform"
import { Effect } from "effect"

/**
 * Makes the folder of this whole path, and those above it, one by one: Node's own recursion says of a file system that cannot be written that there
 * is no such folder, and never ends where none can be made, such as under /proc.
 */
export const makeFolder = (
  folder: string
): Effect.Effect<void, PlatformErrors.PlatformError, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    if (yield* files.exists(folder)) return
    if (path.dirname(folder) !== folder) yield* makeFolder(path.dirname(folder))
    yield* Effect.catchIf(
      files.makeDirectory(folder),
      (error) => error._tag === "SystemError" && error.reason === "AlreadyExists",
      () => Effect.void
    )
  })
