import { Effect, Layer } from "effect"
import { ExportSchedule } from "../services/operations/ExportSchedule.ts"
import { repeatAtIntervals } from "./BackgroundLoop.ts"

/** Looks every minute whether an export is due, until the scope closes. */
export const ExportsJob = Layer.scopedDiscard(
  Effect.flatMap(ExportSchedule, (schedule) =>
    repeatAtIntervals(
      "Exports",
      { first: "10 seconds", interval: "1 minute" },
      schedule.round(),
      ({ message }) => message
    )
  )
)
