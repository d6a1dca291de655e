import { Cause, type Context, type Exit, Option, Predicate, Tracer } from "effect"
import { randomFillSync } from "node:crypto"
import { attributesOf, type Resource, scope } from "./Encoding.ts"

const pool = Buffer.alloc(8192)
let used = pool.length

/** So many random bytes in hexadecimal digits. Asking the operating system for each would take longer than all else that a span costs. */
const randomDigits = (bytes: number): string => {
  if (used + bytes > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += bytes
  return pool.toString("hex", used - bytes, used)
}

export const freshTraceId = (): string => randomDigits(16)

interface Begun {
  readonly name: string
  readonly traceId: string
  readonly parent: Option.Option<Tracer.AnySpan>
  readonly context: Context.Context<never>
  readonly kind: Tracer.SpanKind
  readonly startTime: bigint
}

/** A span of Effect that is handed on once it has ended. What is logged meanwhile is no event of it: lines of the log name their span. */
export class OtlpSpan implements Tracer.Span {
  readonly _tag = "Span"
  readonly name: string
  readonly traceId: string
  readonly spanId = randomDigits(8)
  readonly parent: Option.Option<Tracer.AnySpan>
  readonly context: Context.Context<never>
  readonly kind: Tracer.SpanKind
  readonly attributes = new Map<string, unknown>()
  readonly links: ReadonlyArray<Tracer.SpanLink> = []
  readonly sampled = true
  /** Whether spans belong below it. */
  hasChildren = false
  status: Tracer.SpanStatus
  private readonly onEnd: (span: OtlpSpan) => void

  constructor({ name, traceId, parent, context, kind, startTime }: Begun, onEnd: (span: OtlpSpan) => void) {
    this.name = name
    this.traceId = traceId
    this.parent = parent
    this.context = context
    this.kind = kind
    this.status = { _tag: "Started", startTime }
    this.onEnd = onEnd
  }

  end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    if (this.status._tag === "Ended") return
    this.status = { _tag: "Ended", startTime: this.status.startTime, endTime, exit }
    this.onEnd(this)
  }

  attribute(key: string, value: unknown): void {
    this.attributes.set(key, value)
  }

  event(): void {
    return undefined
  }

  addLinks(): void {
    return undefined
  }
}

/** What makes the spans below one: they belong to its trace. */
export const tracerOf = (onEnd: (span: OtlpSpan) => void): Tracer.Tracer =>
  Tracer.make({
    span: (name, parent, context, _links, startTime, kind) => {
      const traceId = Option.match(parent, { onNone: freshTraceId, onSome: (above) => above.traceId })
      if (Option.isSome(parent) && parent.value instanceof OtlpSpan) parent.value.hasChildren = true
      return new OtlpSpan({ name, traceId, parent, context, kind, startTime }, onEnd)
    },
    context: (run) => run()
  })

const kinds: Readonly<Record<Tracer.SpanKind, number>> = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 }

const failed = 2

/** A failure by its tag alone: its message may repeat what a caller sent. */
const failureOf = (cause: Cause.Cause<unknown>): string => {
  if (Cause.isInterruptedOnly(cause)) return "interrupted"
  const error = Cause.squash(cause)
  return Predicate.hasProperty(error, "_tag") && Predicate.isString(error._tag) ? error._tag : "defect"
}

const encodeSpan = ({ name, traceId, spanId, parent, kind, attributes, status }: OtlpSpan) => {
  const ended = status._tag === "Ended" ? status : undefined
  const failure = ended?.exit._tag === "Failure" ? failureOf(ended.exit.cause) : undefined
  return {
    traceId,
    spanId,
    ...(Option.isSome(parent) ? { parentSpanId: parent.value.spanId } : {}),
    name,
    kind: kinds[kind],
    startTimeUnixNano: String(status.startTime),
    endTimeUnixNano: String(ended?.endTime ?? status.startTime),
    attributes: attributesOf(failure === undefined ? attributes : [...attributes, ["error.type", failure]]),
    status: failure === undefined ? {} : { code: failed }
  }
}

/** Spans as OTLP asks for them. */
export const encodeSpans = (resource: Resource, spans: ReadonlyArray<OtlpSpan>) => ({
  resourceSpans: [{ resource, scopeSpans: [{ scope, spans: spans.map(encodeSpan) }] }]
})
