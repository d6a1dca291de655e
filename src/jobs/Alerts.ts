import { Effect, Layer } from "effect"
import { AlertRounds } from "../services/operations/AlertRounds.ts"
import { TrustedClock } from "../services/operations/TrustedClock.ts"
import { repeatAtIntervals } from "./BackgroundLoop.ts"

/** Judges alerts when they are due, until the scope closes. */
export const AlertsJob = Layer.scopedDiscard(
  Effect.flatMap(Effect.all([AlertRounds, TrustedClock]), ([alerts, clock]) =>
    Effect.zipRight(
      repeatAtIntervals("Alerts", { first: "2 seconds", interval: "2 seconds" }, alerts.round()),
      repeatAtIntervals(
        "Incidents of alerts",
        { first: "1 minute", interval: "1 hour" },
        Effect.flatMap(clock.now, alerts.tidy)
      )
    )
  )
)
