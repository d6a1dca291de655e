import { Effect, Layer } from "effect"
import { AlertRounds } from "../services/operations/AlertRounds.ts"
import { repeatAtIntervals } from "./BackgroundLoop.ts"

/** Judges alerts when they are due, until the scope closes. */
export const AlertsJob = Layer.scopedDiscard(
  Effect.flatMap(AlertRounds, (alerts) =>
    Effect.zipRight(
      repeatAtIntervals("Alerts", { first: "2 seconds", interval: "2 seconds" }, alerts.round()),
      repeatAtIntervals("Incidents of alerts", { first: "1 minute", interval: "1 hour" }, alerts.tidy())
    )
  )
)
