import { Clock, Effect, Ref } from "effect"
import { isBackupDue } from "../../domain/operations/BackupTime.ts"
import { BackupFolder } from "../../ports/operations/BackupFolder.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { BackupRuns } from "./BackupRuns.ts"

const hourMillis = 3_600_000

/** Backs the data folder up at intervals. What is due is read from the backups that are there, so a restart neither skips nor repeats one. */
export class BackupSchedule extends Effect.Service<BackupSchedule>()("services/operations/BackupSchedule", {
  effect: Effect.gen(function* () {
    const folder = yield* BackupFolder
    const runs = yield* BackupRuns
    const { backupHours } = yield* Settings
    const attempted = yield* Ref.make<number | null>(null)

    /** Makes a backup if one is due. */
    const round = Effect.fn("BackupSchedule.round")(function* () {
      const now = yield* Clock.currentTimeMillis
      const last = yield* Ref.get(attempted)
      // Whether one is due decides the newest backup; while the last attempt is just over, the folder need not be read.
      if (!isBackupDue(now, null, last, backupHours * hourMillis)) return
      const newest = (yield* folder.list).at(-1)?.instant ?? null
      if (!isBackupDue(now, newest, last, backupHours * hourMillis)) return
      yield* Ref.set(attempted, now)
      const made = yield* runs.make()
      if (made !== null) yield* Effect.logInfo(made)
    })

    return { round } as const
  })
}) {}
