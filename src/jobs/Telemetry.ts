import { Duration, Effect, Layer } from "effect"
import { Metrics } from "../services/operations/Metrics.ts"
import { repeatAtIntervals } from "./BackgroundLoop.ts"

/** Sends what monitoring reads to a collector at intervals, where one asks for it, until the scope closes, and then once more. */
export const TelemetryJob = Layer.scopedDiscard(
  Effect.flatMap(Metrics, ({ exportSeconds, send }) => {
    if (exportSeconds === null) return Effect.void
    const interval = Duration.seconds(exportSeconds)
    return Effect.zipRight(
      Effect.addFinalizer(() => Effect.ignore(Effect.timeout(Effect.interruptible(send), "1 second"))),
      repeatAtIntervals("The export of metrics", { first: interval, interval }, send)
    )
  })
)
