import { Effect, Layer } from "effect"
import { AuditTrail } from "../services/operations/AuditTrail.ts"
import { TrustedClock } from "../services/operations/TrustedClock.ts"
import { repeatAtIntervals } from "./BackgroundLoop.ts"

/** Puts the log of changes in order after the start and then every ten minutes, until the scope closes. */
export const AuditJob = Layer.scopedDiscard(
  Effect.flatMap(Effect.all([AuditTrail, TrustedClock]), ([trail, clock]) =>
    repeatAtIntervals(
      "Audit",
      { first: "30 seconds", interval: "10 minutes" },
      Effect.flatMap(clock.now, trail.maintain)
    )
  )
)
