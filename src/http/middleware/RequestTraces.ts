import type { HttpServerRequest } from "@effect/platform"
import { Effect, Exit, type Tracer } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { Tracing } from "../../services/operations/Tracing.ts"
import { RequestNotes } from "../platform/RequestNotes.ts"
import { operationOf } from "./OperationNames.ts"
import { requestIdHeader, requestIdOf } from "./RequestId.ts"
import { answeringRoute } from "./Routes.ts"

type Request = HttpServerRequest.HttpServerRequest | IncomingMessage

const traceParentOf = ({ headers }: IncomingMessage): string | undefined => {
  const { traceparent } = headers
  return typeof traceparent === "string" ? traceparent : undefined
}

/** Names of attributes are those of OpenTelemetry's conventions. The path itself is not told: players may be in it. */
const toldOf = (request: IncomingMessage) => {
  const { method = "GET", url = "/" } = request
  const route = answeringRoute({ method, url })?.path
  return {
    name: operationOf(method, url),
    kind: "server" as const,
    attributes: {
      "http.request.method": method,
      ...(route === undefined ? {} : { "http.route": route }),
      "gamekeeper.request.id": requestIdOf(request)
    }
  }
}

/** The span of each request, from its first byte until its connection is done with it, whatever answers. */
export class RequestTraces extends Effect.Service<RequestTraces>()("http/middleware/RequestTraces", {
  effect: Effect.gen(function* () {
    const tracing = yield* Tracing
    const clock = yield* Effect.clock
    const spans = new RequestNotes<Tracer.Span>()

    const end = (
      span: Tracer.Span,
      { headers }: IncomingMessage,
      { headersSent, statusCode }: ServerResponse
    ): void => {
      tracing.tellOwner(span, headers.authorization)
      if (headersSent) span.attribute("http.response.status_code", statusCode)
      else span.attribute("error.type", "aborted")
      const exit = headersSent && statusCode >= 500 ? Exit.fail({ _tag: String(statusCode) }) : Exit.void
      span.end(clock.unsafeCurrentTimeNanos(), exit)
    }

    /** Follows a request, where traces are recorded. */
    const watch = (request: IncomingMessage, response: ServerResponse): void => {
      if (!tracing.isOn) return
      const told = () => {
        // Noted in the request, so that the answer, whoever gives it, has the same name as the span.
        request.headers[requestIdHeader] = requestIdOf(request)
        return toldOf(request)
      }
      const span = tracing.begin(traceParentOf(request), told)
      if (span === null) return
      spans.set(request, span)
      response.once("close", () => end(span, request, response))
    }

    /** Answers a request in its span. */
    const answering = <A, E, R>(request: Request, answer: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      tracing.isOn ? tracing.answering(spans.get(request), answer) : answer

    return { areOn: tracing.isOn, watch, answering } as const
  })
}) {}
