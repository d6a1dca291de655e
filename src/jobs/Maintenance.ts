import { Effect, Layer, Schedule } from "effect"
import { Maintenance } from "../services/operations/Maintenance.ts"

/** Puts the event store in order a minute after the start and then every hour, until the scope closes. */
export const MaintenanceJob = Layer.scopedDiscard(
  Effect.flatMap(Maintenance, (maintenance) =>
    maintenance.run().pipe(
      Effect.catchAllCause((cause) => Effect.logError("Maintenance failed", cause)),
      Effect.schedule(Schedule.spaced("1 hour")),
      Effect.delay("1 minute"),
      Effect.forkScoped
    )
  )
)
