import { Context, type Effect, type Tracer } from "effect"
import type { MetricFamily } from "../../domain/operations/telemetry/MetricFamily.ts"
import type { TraceParent } from "../../domain/operations/telemetry/TraceParent.ts"

/** A span with which the process begins its part of a trace. */
export interface FirstSpan {
  readonly name: string
  readonly kind: "server" | "internal"
  readonly attributes: Readonly<Record<string, string | number>>
}

/** Spans on their way to a collector. Nothing fails and nothing waits: what finds no room is dropped. */
export interface Traces {
  /**
   * Begins a span below `parent`, or a new trace where `parent` is null. Answers null, without calling `told`, where the trace is not
   * recorded. The span is sent once it has ended; one of kind `internal` is dropped where it succeeded quickly and the spans below it only
   * read, because such a round of a job found nothing to do.
   */
  readonly begin: (parent: TraceParent | null, told: () => FirstSpan) => Tracer.Span | null
  /** Runs an effect whose own spans belong below `span`. Outside of it the effect makes none. */
  readonly below: <A, E, R>(span: Tracer.Span, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** Metrics on their way to a collector. */
export interface MetricExport {
  readonly everySeconds: number
  /** Sends how things are now, and does not wait for that; what finds no room is dropped. */
  readonly push: (families: ReadonlyArray<MetricFamily>, epochNanos: bigint) => void
}

/** What the server tells a collector of traces and metrics; null is what nobody asks for. */
export class Telemetry extends Context.Tag("ports/operations/Telemetry")<
  Telemetry,
  { readonly traces: Traces | null; readonly metrics: MetricExport | null }
>() {}
