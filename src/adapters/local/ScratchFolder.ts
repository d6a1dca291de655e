import { FileSystem, Path } from "@effect/platform"
import { Clock, Duration, Effect, Option } from "effect"

/** After this time a folder that somebody wrote into is what a killed process has left. */
const abandonedAfter = Duration.days(1)

/** Removes a folder that has not changed for a day. */
export const removeIfAbandoned = Effect.fnUntraced(function* (folder: string) {
  const files = yield* FileSystem.FileSystem
  const now = yield* Clock.currentTimeMillis
  const changedAt = Option.getOrElse((yield* files.stat(folder)).mtime, () => new Date(now))
  if (now - changedAt.getTime() > Duration.toMillis(abandonedAfter)) yield* files.remove(folder, { recursive: true })
})

/** Folders that cannot be looked at or removed are those of other users of the machine. */
const removeAbandoned = Effect.fnUntraced(function* (directory: string, prefix: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  for (const name of yield* files.readDirectory(directory))
    if (name.startsWith(prefix)) yield* Effect.ignore(removeIfAbandoned(path.join(directory, name)))
})

/**
 * A folder for what is on its way, such as whole copies of players' data, below `directory` until the scope closes. What killed processes have
 * left of the same `purpose` is removed first, once it is a day old.
 */
export const scratchFolder = Effect.fnUntraced(function* (
  directory: string,
  purpose: "backup" | "drill" | "export" | "migration"
) {
  const prefix = `gamekeeper-${purpose}-`
  yield* Effect.ignore(removeAbandoned(directory, prefix))
  return yield* Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped({ directory, prefix }))
})
