import { Effect, Layer, Option, Redacted } from "effect"
import { NoMeasures } from "../adapters/local/NoMeasures.ts"
import { Prometheus } from "../adapters/node/Prometheus.ts"
import { Settings } from "../ports/operations/Settings.ts"
import { secret } from "./SettingKinds.ts"
import { exportsMetrics } from "./Telemetry.ts"

/** A token that is hard to guess and that a header can carry, or an empty text, for no token; none for anything else. */
const metricsTokenIn = (text: string): Option.Option<Redacted.Redacted> =>
  text === "" || /^[\w.~+/=-]{20,256}$/.test(text) ? Option.some(Redacted.make(text)) : Option.none()

export const metricsToken = secret(
  "metrics-token",
  metricsTokenIn,
  "20 to 256 letters, digits or any of - . _ ~ + / =",
  "What Prometheus shows as bearer token to read /metrics; without one, /metrics is not there"
)

/** Counts what the server does, where a token or a collector says that monitoring reads it; otherwise nothing. */
export const MeasuresLive = Layer.unwrapEffect(
  Effect.map(Settings, ({ metricsToken: token, otlp }) =>
    Redacted.value(token) === "" && !exportsMetrics(otlp) ? NoMeasures : Prometheus
  )
)
