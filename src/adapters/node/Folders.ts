import { FileSystem, Path } from "@effect/platform"
import type { PlatformError } from "@effect/platform/Error"
import { Context, Effect, Layer } from "effect"

/**
 * Makes the folder of this whole path, and those above it, one by one: Node's own recursion says of a file system that cannot be written that there
 * is no such folder, and never ends where none can be made, such as under /proc.
 */
export const makeFolder = (folder: string): Effect.Effect<void, PlatformError, FileSystem.FileSystem | Path.Path> =>
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

/** Files of Node whose folders are made so, wherever a folder is asked for with those above it. */
export const FoldersOneByOne = Layer.effect(
  FileSystem.FileSystem,
  Effect.map(Effect.context<FileSystem.FileSystem | Path.Path>(), (node) => {
    const [files, path] = [Context.get(node, FileSystem.FileSystem), Context.get(node, Path.Path)]
    const makeDirectory: typeof files.makeDirectory = (folder, options) =>
      options?.recursive === true && options.mode === undefined
        ? Effect.provide(makeFolder(path.resolve(folder)), node)
        : files.makeDirectory(folder, options)
    return { ...files, makeDirectory }
  })
)
