import { Effect, Layer } from "effect"
import { AuditTrail } from "../services/operations/AuditTrail.ts"
import { repeatAtIntervals } from "./BackgroundLoop.ts"

/** Puts the log of changes in order after the start and then every ten minutes, until the scope closes. */
export const AuditJob = Layer.scopedDiscard(
  Effect.flatMap(AuditTrail, (trail) =>
    repeatAtIntervals("Audit", { first: "30 seconds", interval: "10 minutes" }, trail.maintain())
  )
)
