import { Context, Effect, Layer, Option, Tracer } from "effect"
import { isTraceSampled, type TraceParent } from "../../domain/operations/telemetry/TraceParent.ts"
import { type FirstSpan, type MetricExport, Telemetry, type Traces } from "../../ports/operations/Telemetry.ts"
import type { Collector } from "./Encoding.ts"
import { makeExporter } from "./Exporter.ts"
import { encodeMetrics, type MetricMoment } from "./Metrics.ts"
import { encodeSpans, freshTraceId, OtlpSpan, Round, tracerOf } from "./Spans.ts"

export { resourceOf } from "./Encoding.ts"
export { OtlpLogs } from "./Logs.ts"

export interface OtlpOptions extends Collector {
  /** The share of traces that is recorded where the caller does not say, from 0 to 1; null: none is, whoever asks. */
  readonly sample: number | null
  /** Seconds from one export of the metrics to the next; null: none are exported. */
  readonly metricSeconds: number | null
}

/** Spans that wait: some megabytes. */
const spanQueue = { most: 4096, perBatch: 512, every: "5 seconds" } as const

/** Moments that wait; each is sent at once. */
const metricQueue = { most: 10, perBatch: 1, every: "1 minute" } as const

const makeTraces = Effect.fnUntraced(function* (collector: Collector, share: number) {
  const clock = yield* Effect.clock
  const { push } = yield* makeExporter<OtlpSpan>({
    ...spanQueue,
    name: "Traces",
    url: `${collector.endpoint}/v1/traces`,
    headers: collector.headers,
    encode: (spans) => encodeSpans(collector.resource, spans)
  })
  const tracer = tracerOf(push)

  const begin = (parent: TraceParent | null, told: () => FirstSpan): Tracer.Span | null => {
    const traceId = parent?.traceId ?? freshTraceId()
    if (!(parent?.isSampled ?? isTraceSampled(traceId, share))) return null
    const { name, kind, attributes } = told()
    const above = Option.map(Option.fromNullable(parent), ({ spanId }) => Tracer.externalSpan({ traceId, spanId }))
    const startTime = clock.unsafeCurrentTimeNanos()
    const round = kind === "internal" ? new Round() : null
    const begun = { name, traceId, parent: above, context: Context.empty(), kind, startTime, round }
    const span = new OtlpSpan(begun, true, push)
    for (const [key, value] of Object.entries(attributes)) span.attribute(key, value)
    return span
  }

  const below = <A, E, R>(span: Tracer.Span, effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.provideService(Tracer.ParentSpan, span),
      Effect.withTracer(tracer),
      Effect.withTracerEnabled(true)
    )
  return { begin, below } as const
})

const makeMetrics = Effect.fnUntraced(function* (collector: Collector, everySeconds: number) {
  const since = (yield* Effect.clock).unsafeCurrentTimeNanos()
  const { push } = yield* makeExporter<MetricMoment>({
    name: "Metrics",
    url: `${collector.endpoint}/v1/metrics`,
    headers: collector.headers,
    ...metricQueue,
    encode: (moments) => encodeMetrics(collector.resource, since, moments)
  })
  const exporting: MetricExport = { everySeconds, push: (families, epochNanos) => push({ families, epochNanos }) }
  return exporting
})

/** Tells a collector of traces and metrics by OTLP over HTTP, in JSON. */
export const Otlp = ({ sample, metricSeconds, ...collector }: OtlpOptions) =>
  Layer.scoped(
    Telemetry,
    Effect.gen(function* () {
      const traces: Traces | null = sample === null ? null : yield* makeTraces(collector, sample)
      const metrics = metricSeconds === null ? null : yield* makeMetrics(collector, metricSeconds)
      return { traces, metrics }
    })
  )
