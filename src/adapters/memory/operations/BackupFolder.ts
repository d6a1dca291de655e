import { Clock, Effect, Layer, Ref } from "effect"
import { backupName } from "../../../domain/operations/Backup.ts"
import { BackupFolder, type KnownBackup } from "../../../ports/operations/BackupFolder.ts"

/** Backups that are noted and hold nothing. */
export const BackupFolderMemory = Layer.effect(
  BackupFolder,
  Effect.map(Ref.make<ReadonlyArray<KnownBackup>>([]), (made) => ({
    place: "memory",
    refusal: "",
    list: Ref.get(made),
    make: Effect.gen(function* () {
      const instant = yield* Clock.currentTimeMillis
      const id = backupName(instant)
      yield* Ref.update(made, (all) => [...all, { id, instant, bytes: 0, markers: 0, version: "0", isDamaged: false }])
      return `${id} is complete`
    }),
    drill: (id) => Effect.succeed(`${id} can be restored`)
  }))
)
