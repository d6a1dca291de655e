import { Effect, Layer } from "effect"
import { BackupSchedule } from "../services/operations/BackupSchedule.ts"
import { repeatAtIntervals } from "./BackgroundLoop.ts"

/** Looks every minute whether a backup is due, until the scope closes. */
export const BackupsJob = Layer.scopedDiscard(
  Effect.flatMap(BackupSchedule, (schedule) =>
    repeatAtIntervals(
      "Backups",
      { first: "5 seconds", interval: "1 minute" },
      schedule.round(),
      ({ message }) => message
    )
  )
)
