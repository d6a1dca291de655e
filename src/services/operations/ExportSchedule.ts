import { Clock, Effect, Ref } from "effect"
import { isBackupDue } from "../../domain/operations/BackupTime.ts"
import { ExportPlace } from "../../ports/operations/ExportPlace.ts"
import { Settings } from "../../ports/operations/Settings.ts"

const hourMillis = 3_600_000

/** Exports markers at intervals. What is due is read from where they go to, so a restart neither skips nor repeats an export. */
export class ExportSchedule extends Effect.Service<ExportSchedule>()("services/operations/ExportSchedule", {
  effect: Effect.gen(function* () {
    const place = yield* ExportPlace
    const { exportHours } = yield* Settings
    const attempted = yield* Ref.make<number | null>(null)

    /** Exports if that is due. */
    const round = Effect.fn("ExportSchedule.round")(function* () {
      const now = yield* Clock.currentTimeMillis
      const last = yield* Ref.get(attempted)
      // While the last attempt is just over, the place need not be read.
      if (!isBackupDue(now, null, last, exportHours * hourMillis)) return
      if (!isBackupDue(now, yield* place.last, last, exportHours * hourMillis)) return
      yield* Ref.set(attempted, now)
      yield* Effect.logInfo(yield* place.make)
    })

    return { round } as const
  })
}) {}
