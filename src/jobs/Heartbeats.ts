import { Effect, Layer, Schedule } from "effect"
import { Notices } from "../services/game/Notices.ts"

/** A sign of life to every game that listens, every 15 seconds until the scope closes. */
export const Heartbeats = Layer.scopedDiscard(
  Effect.flatMap(Notices, (notices) =>
    notices.beat().pipe(
      Effect.catchAllCause((cause) => Effect.logError("Heartbeats failed", cause)),
      Effect.schedule(Schedule.spaced("15 seconds")),
      Effect.forkScoped
    )
  )
)
