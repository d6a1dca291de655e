import { FileSystem, Path } from "@effect/platform"
import { Effect } from "effect"

/** Brings what was written to the disk. Some systems cannot do it for a folder, whose names then last as well as they do there. */
const sync = (place: string, flag: "r" | "r+") =>
  Effect.flatMap(FileSystem.FileSystem, (system) =>
    Effect.scoped(Effect.flatMap(system.open(place, { flag }), (opened) => opened.sync))
  )

/** Gives a file that is whole its name, both of which last through a power cut afterwards: what else is written may rely on it. */
export const nameWhole = Effect.fnUntraced(function* (part: string, file: string) {
  const system = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  yield* sync(part, "r+")
  yield* system.rename(part, file)
  yield* Effect.ignore(sync(path.dirname(file), "r"))
})
