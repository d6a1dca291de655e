import type { HttpApp } from "@effect/platform"
import {
  HttpApiBuilder,
  HttpIncomingMessage,
  HttpServerError,
  HttpServerRequest,
  HttpServerResponse
} from "@effect/platform"
import { Cause, Effect, Option } from "effect"
import { usualBody } from "../../../schema/BodyLimit.ts"
import type { Envelope } from "../../../schema/Failure.ts"
import { ValidationFailed } from "../../../schema/RequestErrors.ts"
import { gameHeaders, preflightHeaders, safe as nosniff, unkept } from "../middleware/CrossOrigin.ts"
import { withEnvironmentHeader } from "../middleware/EnvironmentHeader.ts"
import { failed, respond } from "../middleware/ErrorEnvelope.ts"
import { Audited, reasonProblem } from "../middleware/Audited.ts"
import { Admission } from "../middleware/Admission.ts"
import { type Fields, limitFieldsOf } from "../middleware/LimitFields.ts"
import { payloadOf } from "./Body.ts"
import { bodyRefusal, limitOf } from "./EarlyRefusals.ts"
import { continueStream } from "./EventStream.ts"
import { withJsonPayload } from "./JsonPayload.ts"
import { TableAnswers } from "./TableAnswers.ts"
import { Versions } from "../../services/game/Versions.ts"
import { BulkAssignments } from "../game/BulkAssignments.ts"
import { Evaluations } from "../game/Evaluations.ts"
import { Ingestions } from "../ingest/Ingestions.ts"
import { Replay } from "../game/Replay.ts"
import { StreamOpenings } from "../game/StreamOpenings.ts"
import { besideParameters, spoiledParameters } from "../middleware/Parameters.ts"
import { requestIdHeader, requestIdOf } from "../middleware/RequestId.ts"
import { RequestTraces } from "../middleware/RequestTraces.ts"
import type { Route } from "../middleware/Routes.ts"
import { answeringRoute, isForGames, isMistaken } from "../middleware/Routes.ts"

/** Why a request is refused before its endpoint is asked. */
const refusal = (request: HttpServerRequest.HttpServerRequest, route: Route | undefined): Envelope | undefined => {
  if (route === undefined) return undefined
  const spoiled = spoiledParameters(request, route) ?? reasonProblem(request, route)
  return spoiled === undefined ? bodyRefusal(request.headers, route) : new ValidationFailed({ message: spoiled })
}

/** The payload of a request, or one refusal that names every problem of it and of the parameters. */
const bodyOf = (request: HttpServerRequest.HttpServerRequest, route: Route) =>
  Effect.mapError(payloadOf(request, limitOf(route), route.check, route.mayBeEmpty), (refused) =>
    besideParameters(refused, request)
  )

/** An answer with the headers that all of its kind have. What an endpoint says itself of caches stays. */
const finish = (
  response: HttpServerResponse.HttpServerResponse,
  request: HttpServerRequest.HttpServerRequest,
  route: Route | undefined
) => {
  if (isForGames(request.url)) return HttpServerResponse.setHeaders(response, gameHeaders)
  const isKept = route === undefined || response.headers["cache-control"] !== undefined
  return HttpServerResponse.setHeaders(response, isKept ? nosniff : unkept)
}

const refuse = (refused: Envelope, request: HttpServerRequest.HttpServerRequest) =>
  Effect.succeed(HttpServerResponse.setHeader(failed(refused, request), "connection", "close"))

/** Applies to every request: limits on the size and type of its body, the error envelope, and headers of safety. */
const requests = Effect.map(
  Effect.all([
    Admission,
    Audited,
    Replay,
    Evaluations,
    BulkAssignments,
    Ingestions,
    StreamOpenings,
    TableAnswers,
    Versions,
    RequestTraces
  ]),
  ([admission, audited, replay, evaluations, assignments, ingestions, openings, tables, versions, traces]) =>
    (app: HttpApp.Default<unknown>): HttpApp.Default => {
      const limited = HttpIncomingMessage.withMaxBodySize(app, Option.some(usualBody))

      const ask = (request: HttpServerRequest.HttpServerRequest, route: Route | undefined) => {
        const named = withEnvironmentHeader(request)
        const read = route?.hasPayload === true && !route.rawBody ? withJsonPayload(named, bodyOf(named, route)) : named
        const asked =
          route === undefined && isMistaken(request) ? new HttpServerError.RouteNotFound({ request }) : limited
        return Effect.provideService(asked, HttpServerRequest.HttpServerRequest, read).pipe(
          Effect.catchAllCause((cause) => (Cause.isInterruptedOnly(cause) ? Effect.interrupt : respond(cause, request)))
        )
      }

      const answer = (request: HttpServerRequest.HttpServerRequest, now: number) => {
        const id = requestIdOf(request)
        const fields = (): Fields => ({ ...limitFieldsOf(request), [requestIdHeader]: id })
        if (request.method === "OPTIONS" && isForGames(request.url)) {
          return Effect.succeed(
            HttpServerResponse.empty({ status: 204, headers: { ...preflightHeaders, ...fields() } })
          )
        }
        const access = versions.access.validity()
        const route = answeringRoute(request)
        const limit = admission.refusalOf(request, now)
        const refused = limit ?? refusal(request, route)
        const allowed = () =>
          route?.isAudited === true
            ? audited.around(request, route, id, (each) => ask(each, answeringRoute(each)))
            : ask(request, route)
        const answered = refused === undefined ? allowed() : refuse(refused, request)
        return Effect.map(Effect.annotateLogs(answered, "requestId", id), (response) => {
          const finished = finish(isForGames(request.url) ? response : tables.list(request, response), request, route)
          replay.keep(request, finished, access)
          evaluations.keep(request, access)
          assignments.keep(request, access)
          ingestions.keep(request, access)
          openings.keep(request, access)
          const named = HttpServerResponse.setHeaders(finished, fields())
          continueStream(request, named)
          return named
        })
      }

      return Effect.clockWith((clock) =>
        Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
          traces.answering(request, answer(request, clock.unsafeCurrentTimeMillis()))
        )
      )
    }
)

export const RequestsLive = HttpApiBuilder.middleware(requests)
