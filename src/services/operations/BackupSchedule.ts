import { Clock, Effect } from "effect"
import { newestOf } from "../../domain/operations/Backup.ts"
import { BackupFolder } from "../../ports/operations/BackupFolder.ts"
import { Settings } from "../../ports/operations/Settings.ts"
import { BackupRuns } from "./BackupRuns.ts"
import { dueAtIntervals } from "./DueAtIntervals.ts"

/** Backs the data folder up at intervals. What is due is read from the backups that are there. */
export class BackupSchedule extends Effect.Service<BackupSchedule>()("services/operations/BackupSchedule", {
  effect: Effect.gen(function* () {
    const folder = yield* BackupFolder
    const runs = yield* BackupRuns
    const { backupHours } = yield* Settings
    const newest = Effect.zipWith(
      folder.list,
      Clock.currentTimeMillis,
      (all, now) => newestOf(all, ({ instant }) => instant, now)?.instant ?? null
    )
    const make = Effect.flatMap(runs.make(), (made) => (made === null ? Effect.void : Effect.logInfo(made)))
    const due = yield* dueAtIntervals(backupHours, newest, make)

    /** Makes a backup if one is due. */
    const round = () => due

    return { round } as const
  })
}) {}
