import { Effect, Layer } from "effect"
import { Notices } from "../services/game/Notices.ts"
import { repeatAtIntervals } from "./BackgroundLoop.ts"

/** A sign of life to every game that listens, every 15 seconds until the scope closes. */
export const Heartbeats = Layer.scopedDiscard(
  Effect.flatMap(Notices, (notices) =>
    repeatAtIntervals("Heartbeats", { first: "15 seconds", interval: "15 seconds" }, notices.beat())
  )
)
