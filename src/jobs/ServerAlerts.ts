import { Effect, Layer } from "effect"
import { lookMillis } from "../domain/operations/alerts/ServerWatch.ts"
import { ServerAlerts } from "../services/operations/ServerAlerts.ts"
import { repeatAtIntervals } from "./BackgroundLoop.ts"

/** Looks at the server itself every half minute, until the scope closes. */
export const ServerAlertsJob = Layer.scopedDiscard(
  Effect.flatMap(ServerAlerts, (alerts) =>
    repeatAtIntervals("Alerts of the server", { first: "10 seconds", interval: lookMillis }, alerts.round())
  )
)
