import { Path } from "@effect/platform"
import { Effect, Either } from "effect"
import { makeFolder } from "../../adapters/node/Folders.ts"
import { heldFile, isHeldElsewhere } from "../../adapters/sqlite/FileLock.ts"
import { BackupFailed, orFailed } from "../../adapters/sqlite/operations/BackupFailed.ts"

/**
 * Keeps other exports out of a folder until the scope closes: both would write the same files. The system drops the lock of a process that ends,
 * however it ends. Where no file can be locked, nobody can tell.
 */
export const holdExportFolder = Effect.fnUntraced(function* (folder: string) {
  const path = yield* Path.Path
  yield* makeFolder(path.resolve(folder)).pipe(orFailed(`${folder} cannot be used`))
  const { lock, letGo } = yield* heldFile(path.join(folder, ".exporting"))
  if (Either.isRight(lock)) yield* Effect.addFinalizer(() => letGo)
  else if (yield* isHeldElsewhere(folder, lock.left.error))
    return yield* new BackupFailed({ message: `Another export writes into ${folder}: wait until it has ended` })
})
