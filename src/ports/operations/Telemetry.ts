import { Context, type Effect, type Tracer } from "effect"
import type { MetricFamily } from "../../domain/operations/telemetry/MetricFamily.ts"
import type { TraceParent } from "../../domain/operations/telemetry/TraceParent.ts"

/** A span with which the process begins its part of a trace. */
export interface FirstSpan {
  readonly name: string
  readonly kind: "server" | "internal"
  /** The caller's span; null where a trace begins here. */
  readonly parent: TraceParent | null
  readonly attributes: Readonly<Record<string, string | number>>
}

/** Spans on their way to a collector. Nothing fails and nothing waits: what finds no room is dropped. */
export interface Traces {
  /** Begins a span; null where its trace is not among those that are recorded. The span is sent once it has ended. */
  readonly begin: (told: FirstSpan) => Tracer.Span | null
  /** Runs an effect whose own spans belong below `span`; without this none is made. */
  readonly below: <A, E, R>(span: Tracer.Span, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** Metrics on their way to a collector. */
export interface MetricExport {
  readonly everySeconds: number
  /** Sends how things are now, and does not wait for that; what cannot be sent is replaced by what comes next. */
  readonly push: (families: ReadonlyArray<MetricFamily>, epochNanos: bigint) => void
}

/** What the server tells a collector of traces and metrics; null is what nobody asks for. */
export class Telemetry extends Context.Tag("ports/operations/Telemetry")<
  Telemetry,
  { readonly traces: Traces | null; readonly metrics: MetricExport | null }
>() {}
