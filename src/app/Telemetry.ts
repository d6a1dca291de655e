import { Options } from "@effect/cli"
import { Effect, Layer, Option, Redacted } from "effect"
import { NoTelemetry } from "../adapters/local/NoTelemetry.ts"
import { TracedEventStore } from "../adapters/traced/EventStore.ts"
import { TracedMailer, TracedWebhookSender } from "../adapters/traced/Messages.ts"
import type { EventStore } from "../ports/analytics/EventStore.ts"
import type { Mailer } from "../ports/operations/Mailer.ts"
import type { WebhookSender } from "../ports/operations/WebhookSender.ts"
import { type OtlpSettings, Settings } from "../ports/operations/Settings.ts"
import { version } from "../services/operations/System.ts"
import { address, checked, integer, secret, share, text } from "./SettingKinds.ts"

const signals = ["traces", "metrics", "logs"] as const

/** Where nothing is exported to. */
export const noOtlp: OtlpSettings = {
  endpoint: "",
  headers: Redacted.make(""),
  service: "gamekeeper",
  signals: "traces,metrics,logs",
  sample: 1,
  metricSeconds: 60
}

const partsOf = (list: string): ReadonlyArray<string> =>
  list
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")

const decoded = Option.liftThrowable(decodeURIComponent)

/** Name and value of a header, which OpenTelemetry has be written as in an address. */
const headerIn = (part: string): Option.Option<readonly [string, string]> => {
  const [, name = "", written = ""] = /^([\w!#$%&'*+.^`|~-]+)\s*=\s*(.*)$/.exec(part) ?? []
  return Option.filterMap(decoded(written), (value) =>
    name === "" || !/^[\x20-\x7e]*$/.test(value) ? Option.none() : Option.some([name.toLowerCase(), value] as const)
  )
}

const headersOf = (list: string) => Option.map(Option.all(partsOf(list).map(headerIn)), Object.fromEntries<string>)

const headersIn = (list: string): Option.Option<Redacted.Redacted> => Option.as(headersOf(list), Redacted.make(list))

const isSignals = (list: string): boolean => partsOf(list).every((part) => signals.some((signal) => signal === part))

export const otlpOptions = Options.all({
  endpoint: address("otlp-endpoint", "Collector of OpenTelemetry that is told by OTLP over HTTP; default: none"),
  headers: secret(
    "otlp-headers",
    headersIn,
    "headers such as api-key=secret, separated by commas",
    "Headers that the collector asks for, as name=value, separated by commas"
  ),
  service: text("otlp-service", noOtlp.service, "Name of this service in what the collector is told"),
  signals: checked(
    "otlp-signals",
    noOtlp.signals,
    Option.liftPredicate(isSignals),
    `some of ${signals.join(", ")}, separated by commas`,
    "What the collector is told, separated by commas"
  ),
  sample: share("otlp-sample", noOtlp.sample, "Share of traces that is recorded where the caller does not say: 0 to 1"),
  metricSeconds: integer("otlp-metric-seconds", noOtlp.metricSeconds, [1, 3600], "Seconds between exports of metrics")
})

/** Whether the collector is told of it. */
const isTold = ({ endpoint, signals: told }: OtlpSettings, signal: (typeof signals)[number]): boolean =>
  endpoint !== "" && partsOf(told).includes(signal)

/** Whether anybody reads what is counted. */
export const exportsMetrics = (otlp: OtlpSettings): boolean => isTold(otlp, "metrics")

const instance = crypto.randomUUID()

/** What exports is loaded only where a collector is named. */
const library = Effect.promise(() => import("../adapters/otlp/Otlp.ts"))

const collectorOf = ({ endpoint, headers, service }: OtlpSettings) =>
  Effect.map(library, ({ resourceOf }) => ({
    endpoint: endpoint.replace(/\/+$/, ""),
    headers: Option.getOrElse(headersOf(Redacted.value(headers)), () => ({})),
    resource: resourceOf(service, version, instance)
  }))

/** Traces and metrics for the collector that the settings name, or for none. */
export const TelemetryLive = Layer.unwrapEffect(
  Effect.flatMap(Settings, ({ otlp }) => {
    const [traces, metrics] = [isTold(otlp, "traces"), isTold(otlp, "metrics")]
    if (!traces && !metrics) return Effect.succeed(NoTelemetry)
    return Effect.zipWith(library, collectorOf(otlp), ({ Otlp }, collector) =>
      Otlp({
        ...collector,
        sample: traces ? otlp.sample : null,
        metricSeconds: metrics ? otlp.metricSeconds : null
      })
    )
  })
)

/** Lines of the log for the collector, beside standard error. */
export const LogsTold = (otlp: OtlpSettings) =>
  isTold(otlp, "logs")
    ? Layer.unwrapEffect(Effect.zipWith(library, collectorOf(otlp), ({ OtlpLogs }, collector) => OtlpLogs(collector)))
    : Layer.empty

/** The same stores, with spans of their own where traces are exported. */
export const tracedStores = <A, E, R>(otlp: OtlpSettings, stores: Layer.Layer<A | EventStore, E, R>) =>
  isTold(otlp, "traces") ? TracedEventStore.pipe(Layer.provideMerge(stores)) : stores

/** The same senders of mails and webhooks, with spans of their own where traces are exported. */
export const tracedSenders = <A, E, R>(otlp: OtlpSettings, node: Layer.Layer<A | Mailer | WebhookSender, E, R>) =>
  isTold(otlp, "traces") ? Layer.merge(TracedMailer, TracedWebhookSender).pipe(Layer.provideMerge(node)) : node
