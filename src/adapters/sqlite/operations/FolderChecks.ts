import { FileSystem, Path } from "@effect/platform"
import type { PlatformError } from "@effect/platform/Error"
import { Effect, Either } from "effect"
import { dataFilesIn, ownFiles } from "../DataFolder.ts"
import { cutOffIn, describeCutOff } from "./CutOff.ts"
import { bad, type Finding } from "../../../domain/operations/Finding.ts"

const isDenied = (error: PlatformError): boolean => error._tag === "SystemError" && error.reason === "PermissionDenied"

const asServer = "run the doctor as the user of the server"

const missing = (folder: string): Finding =>
  bad(`There is no data folder ${folder}: start the server once, or name the folder with --data`)

const notLookedInto = (folder: string) => (error: PlatformError) =>
  isDenied(error) ? bad(`This user cannot look into ${folder} (EACCES): ${asServer}`) : missing(folder)

const ofFile = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const found = yield* Effect.either(files.stat(file))
  // A file that is missing is a matter of the pair.
  if (Either.isLeft(found)) return []
  if (found.right.type !== "File") return [bad(`${file} is no file: restore a backup into another folder`)]
  return yield* Effect.match(files.access(file, { readable: true }), {
    onFailure: () => [bad(`This user cannot read ${file} (EACCES): ${asServer}`)],
    onSuccess: () => []
  })
})

const found = Effect.fnUntraced(function* (folder: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { type } = yield* Effect.mapError(files.stat(folder), notLookedInto(folder))
  if (type !== "Directory") return [bad(`${folder} is no folder: --data names the data folder`)]
  const names = yield* Effect.mapError(ownFiles(folder), notLookedInto(folder))
  if (names.every((name) => name === "lock")) {
    const [left] = yield* Effect.orElseSucceed(cutOffIn(folder), () => [])
    if (left !== undefined) return [bad(describeCutOff(path.resolve(folder), left))]
    return [
      bad(
        `${path.resolve(folder)} holds no data of a server, neither metadata.sqlite nor events.sqlite: name the data folder with --data; ` +
          "if it is this one, restore a backup into it"
      )
    ]
  }
  const { metadata, events } = yield* dataFilesIn(folder)
  return [...(yield* ofFile(metadata)), ...(yield* ofFile(events))]
})

/** What keeps anybody from examining the folder, such as that it is another one; empty where nothing does. */
export const obstaclesIn = (
  folder: string
): Effect.Effect<ReadonlyArray<Finding>, never, FileSystem.FileSystem | Path.Path> =>
  Effect.catchAll(found(folder), (finding) => Effect.succeed([finding]))
