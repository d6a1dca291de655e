import { Clock, Effect, type Tracer } from "effect"
import type { OrganizationId } from "../../domain/Ids.ts"
import { LruCache, mebibyte } from "../../domain/LruCache.ts"
import { type TraceParent, traceParentIn } from "../../domain/operations/telemetry/TraceParent.ts"
import { type FirstSpan, Telemetry } from "../../ports/operations/Telemetry.ts"
import { RequestSpan } from "./RequestSpan.ts"

const organizationAttribute = "gamekeeper.organization.id"

/** What is told of the server's work, span by span. Where nobody asks for traces, nothing of it costs anything. */
export class Tracing extends Effect.Service<Tracing>()("services/operations/Tracing", {
  effect: Effect.gen(function* () {
    const { traces } = yield* Telemetry
    const isOn = traces !== null
    /** Keys, whose organization is the same for ever, also where a fast path answers. */
    const owners = new LruCache<OrganizationId>(1 * mebibyte, () => 8)

    /** Begins the span of a request, whose caller may send `traceparent`; null where it is not recorded. */
    const begin = (traceParent: string | undefined, told: () => FirstSpan): Tracer.Span | null => {
      const parent: TraceParent | null = traceParentIn(traceParent)
      return traces === null ? null : traces.begin(parent, told)
    }

    /** Answers a request in its span. */
    const answering = <A, E, R>(
      span: Tracer.Span | undefined,
      answer: Effect.Effect<A, E, R>
    ): Effect.Effect<A, E, R> =>
      traces === null || span === undefined
        ? answer
        : traces.below(span, Effect.provideService(answer, RequestSpan, span))

    /** Does some work that nobody has asked for in a trace of its own. */
    const working = <A, E, R>(name: string, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
      if (traces === null) return work
      return Effect.suspend(() => {
        const span = traces.begin(null, () => ({ name, kind: "internal", attributes: {} }))
        if (span === null) return work
        return Effect.onExit(traces.below(span, work), (exit) =>
          Effect.map(Clock.currentTimeNanos, (now) => span.end(now, exit))
        )
      })
    }

    /** Tells for which organization the request is answered. */
    const within = (organizationId: OrganizationId): Effect.Effect<void> =>
      isOn ? Effect.map(RequestSpan, (span) => span?.attribute(organizationAttribute, organizationId)) : Effect.void

    /** A credential belongs to the organization. */
    const belongs = (credential: string, organizationId: OrganizationId): void => {
      if (isOn) owners.set(credential, organizationId)
    }

    /** Tells for which organization a request with that credential was answered, unless that is told already. */
    const tellOwner = (span: Tracer.Span, credential: string | undefined): void => {
      const known = credential === undefined ? undefined : owners.get(credential)
      if (known !== undefined && !span.attributes.has(organizationAttribute))
        span.attribute(organizationAttribute, known)
    }

    return { isOn, begin, answering, working, within, belongs, tellOwner } as const
  })
}) {}
