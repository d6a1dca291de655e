import { FileSystem, Path } from "@effect/platform"
import { Effect, Either } from "effect"
import { makeFolder } from "../../adapters/node/Folders.ts"
import { canLock, isBusy, locked } from "../../adapters/sqlite/FileLock.ts"
import { BackupFailed, orFailed } from "../../adapters/sqlite/operations/BackupFailed.ts"

/**
 * Keeps other exports out of a folder until the scope closes: both would write the same files. The system drops the lock of a process that ends,
 * however it ends. Where no file can be locked, nobody can tell.
 */
export const holdExportFolder = Effect.fnUntraced(function* (folder: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  yield* makeFolder(path.resolve(folder)).pipe(orFailed(`${folder} cannot be used`))
  const lock = path.join(folder, ".exporting")
  const removed = Effect.ignore(files.remove(lock))
  const held = yield* Effect.acquireRelease(Effect.either(locked(lock)), (own) =>
    Either.isLeft(own)
      ? Effect.void
      : // The file goes first, for nobody must find it unlocked; Windows removes none that is open.
        Effect.zipRight(
          removed,
          Effect.zipRight(
            Effect.sync(() => own.right.close()),
            removed
          )
        )
  )
  if (Either.isLeft(held) && isBusy(held.left.error) && (yield* canLock(folder)))
    return yield* new BackupFailed({ message: `Another export writes into ${folder}: wait until it has ended` })
})
