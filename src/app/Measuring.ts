import { Effect, Layer, Option, Redacted } from "effect"
import { NoMeasures } from "../adapters/local/NoMeasures.ts"
import { Prometheus } from "../adapters/node/Prometheus.ts"
import { Settings } from "../ports/operations/Settings.ts"

/** Nothing, or a token that is hard to guess and that a header can carry. */
export const metricsTokenIn = (text: string): Option.Option<Redacted.Redacted> =>
  text === "" || /^[\w.~+/=-]{20,256}$/.test(text) ? Option.some(Redacted.make(text)) : Option.none()

/** Counts where monitoring may read it. */
export const MeasuresLive = Layer.unwrapEffect(
  Effect.map(Settings, ({ metricsToken }) => (Redacted.value(metricsToken) === "" ? NoMeasures : Prometheus))
)
