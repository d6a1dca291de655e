import { FileSystem, Path } from "@effect/platform"
import type { PlatformError } from "@effect/platform/Error"
import { Context, Effect, Layer } from "effect"

/** Whether something failed because what is to be made is there. */
export const isThere = (error: PlatformError): boolean =>
  error._tag === "SystemError" && error.reason === "AlreadyExists"

/** Whether something failed because there is no such file or folder. */
export const isMissing = (error: PlatformError): boolean => error._tag === "SystemError" && error.reason === "NotFound"

/** Brings what was written to a file, or with the flag `r` the names in a folder, to the disk. */
export const synced = (place: string, flag: "r" | "r+"): Effect.Effect<void, PlatformError, FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (files) =>
    Effect.scoped(Effect.flatMap(files.open(place, { flag }), (opened) => opened.sync))
  )

/** Makes the names in a folder last through a power cut. Some systems cannot do it for a folder. */
export const syncedNames = (folder: string): Effect.Effect<void, never, FileSystem.FileSystem> =>
  Effect.ignore(synced(folder, "r"))

/**
 * Makes the folder of this whole path, and those above it, one by one: Node's own recursion says of a file system that cannot be written that there
 * is no such folder, and never ends where none can be made, such as under /proc. Whoever brings files in it to the disk finds the folder there
 * after a power cut, too.
 */
export const makeFolder = (folder: string): Effect.Effect<void, PlatformError, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    if (yield* files.exists(folder)) return
    const above = path.dirname(folder)
    if (above !== folder) yield* makeFolder(above)
    yield* Effect.catchIf(files.makeDirectory(folder), isThere, () => Effect.void)
    yield* syncedNames(above)
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
