import { Effect, Layer } from "effect"
import { Exposures } from "../services/game/Exposures.ts"
import { repeatAtIntervals } from "./BackgroundLoop.ts"

/** Looks every minute for exposures whose markers a process that was killed has not stored. */
export const ExposuresJob = Layer.scopedDiscard(
  Effect.flatMap(Exposures, (exposures) =>
    repeatAtIntervals("Markers of exposures", { first: "1 minute", interval: "1 minute" }, exposures.sweep())
  )
)
