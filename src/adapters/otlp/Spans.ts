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

/** A span that takes no longer, in nanoseconds, may be of a round that has found nothing to do. */
const quietNanos = 100_000_000n

const reads = /^\s*select\b/i

/** Whether a span tells nothing of interest by itself: it succeeded soon, and has only read. */
const isQuiet = ({ attributes, kind, parent, status }: OtlpSpan): boolean => {
  if (status._tag !== "Ended" || status.exit._tag === "Failure") return false
  const isRound = kind === "internal" && Option.isNone(parent)
  const hasOnlyRead = isRound || reads.test(String(attributes.get("db.query.text") ?? ""))
  return hasOnlyRead && status.endTime - status.startTime < quietNanos
}

/** Spans that one round may keep back. */
const mostHeld = 64

/** What a round of a job has done: its spans are kept back until one of them is not quiet, and forgotten where none is. */
export class Round {
  private held: Array<OtlpSpan> = []
  private isIdle = true

  take(span: OtlpSpan, push: (span: OtlpSpan) => void): void {
    this.held.push(span)
    this.isIdle &&= isQuiet(span) && this.held.length < mostHeld
    if (!this.isIdle) for (const each of this.held) push(each)
    if (!this.isIdle || Option.isNone(span.parent)) this.held = []
  }
}

interface Begun {
  readonly name: string
  readonly traceId: string
  readonly parent: Option.Option<Tracer.AnySpan>
  readonly context: Context.Context<never>
  readonly kind: Tracer.SpanKind
  readonly startTime: bigint
  /** The round of a job that it belongs to. */
  readonly round: Round | null
}

type Push = (span: OtlpSpan) => void

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
  readonly round: Round | null
  readonly sampled: boolean
  status: Tracer.SpanStatus
  private readonly push: Push

  constructor({ name, traceId, parent, context, kind, startTime, round }: Begun, sampled: boolean, push: Push) {
    this.name = name
    this.traceId = traceId
    this.parent = parent
    this.context = context
    this.kind = kind
    this.status = { _tag: "Started", startTime }
    this.round = round
    this.sampled = sampled
    this.push = push
  }

  end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    if (this.status._tag === "Ended") return
    this.status = { _tag: "Ended", startTime: this.status.startTime, endTime, exit }
    if (!this.sampled) return
    if (this.round === null) this.push(this)
    else this.round.take(this, this.push)
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

/** What makes the spans below one: they belong to its trace. One that has lost what is above it is not recorded. */
export const tracerOf = (push: Push): Tracer.Tracer =>
  Tracer.make({
    span: (name, parent, context, _links, startTime, kind) => {
      const above = Option.getOrNull(parent)
      const traceId = above?.traceId ?? freshTraceId()
      const round = above instanceof OtlpSpan ? above.round : null
      return new OtlpSpan({ name, traceId, parent, context, kind, startTime, round }, above?.sampled === true, push)
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
