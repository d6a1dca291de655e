import { Layer } from "effect"
import { Telemetry } from "../../ports/operations/Telemetry.ts"

/** No collector is named. */
export const NoTelemetry = Layer.succeed(Telemetry, { traces: null, metrics: null })
