import { Effect, Layer } from "effect"
import { BackupFolder, BackupUnmade } from "../../ports/operations/BackupFolder.ts"

/** No folder for backups; `refusal` says why. */
export const NoBackups = (refusal: string) => {
  const unmade = Effect.fail(new BackupUnmade({ message: refusal }))
  return Layer.succeed(BackupFolder, {
    place: null,
    refusal,
    list: Effect.succeed([]),
    make: unmade,
    drill: () => unmade
  })
}
