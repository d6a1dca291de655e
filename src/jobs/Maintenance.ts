import { Effect, Layer } from "effect"
import { Maintenance } from "../services/operations/Maintenance.ts"
import { repeatAtIntervals } from "./BackgroundLoop.ts"

/** Puts the event store in order a minute after the start and then every hour, until the scope closes. */
export const MaintenanceJob = Layer.scopedDiscard(
  Effect.flatMap(Maintenance, (maintenance) =>
    repeatAtIntervals("Maintenance", { first: "1 minute", interval: "1 hour" }, maintenance.run())
  )
)
