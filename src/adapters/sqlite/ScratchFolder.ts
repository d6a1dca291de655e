import { FileSystem, Path } from "@effect/platform"
import { Effect } from "effect"
import { heldFolder, removeIfAbandoned } from "./HeldFolder.ts"

/** Folders that cannot be looked at or removed are those of other users of the machine. */
const removeAbandoned = Effect.fnUntraced(function* (directory: string, prefix: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  for (const name of yield* files.readDirectory(directory))
    if (name.startsWith(prefix)) yield* Effect.ignore(removeIfAbandoned(path.join(directory, name)))
})

/**
 * A folder for what is on its way, such as whole copies of players' data, below `directory` until the scope closes. What killed processes have
 * left of the same `purpose` is removed first.
 */
export const scratchFolder = Effect.fnUntraced(function* (
  directory: string,
  purpose: "backup" | "drill" | "export" | "migration"
) {
  const prefix = `gamekeeper-${purpose}-`
  yield* Effect.ignore(removeAbandoned(directory, prefix))
  const files = yield* FileSystem.FileSystem
  // Of a missing one it would be said that the folder to be made in it is not there.
  yield* files.access(directory)
  const { folder } = yield* heldFolder(files.makeTempDirectory({ directory, prefix }))
  return folder
})
