import type { HttpServerRequest } from "@effect/platform"
import { HttpApiError, HttpServerError, HttpServerResponse } from "@effect/platform"
import { Cause, Effect, Predicate } from "effect"
import type { Envelope } from "../../../schema/Failure.ts"
import {
  DataDamaged,
  InternalError,
  MalformedJson,
  MalformedRequest,
  MetadataUnavailable,
  MethodNotAllowed,
  ChangedMeanwhile,
  RouteNotFound,
  StorageFull,
  StorageLost,
  StoreUnavailable,
  ValidationFailed
} from "../../../schema/RequestErrors.ts"
import { mostNamed } from "../../../schema/Report.ts"
import { parameterProblems } from "./Parameters.ts"
import { hasStraySlash, isForGames, methodsOf, nearestRoute, routeOf } from "./Routes.ts"

const isEnvelope = (error: unknown): error is Envelope =>
  Predicate.hasProperty(error, "statusCode") &&
  Predicate.isNumber(error.statusCode) &&
  Predicate.hasProperty(error, "code") &&
  Predicate.isString(error.code)

/** Where something does not fit its schema; never what it is, which may be a secret. */
const placesIn = (error: HttpApiError.HttpApiDecodeError): ReadonlyArray<string> => {
  const places = new Set(error.issues.map(({ path }) => path.map(String).join(".") || "all of it"))
  return [...places].slice(0, mostNamed)
}

const wentWrong = () => new InternalError({ message: "Something went wrong" })

/**
 * What came is checked before the platform reads it, except that of paths which the router alone takes for an endpoint's, such as one with an
 * empty segment. Where nothing was wrong with it, what does not fit its schema is the answer, which is no fault of the caller.
 */
const misfit = (error: HttpApiError.HttpApiDecodeError, request: HttpServerRequest.HttpServerRequest): Envelope => {
  const problems = parameterProblems(request)
  if (problems !== undefined) return new ValidationFailed({ message: problems })
  if (routeOf(request) !== undefined) return wentWrong()
  return new ValidationFailed({
    message: placesIn(error)
      .map((place) => `${place}: expected another value`)
      .join("; ")
  })
}

/** A path that the router cannot read, although a route takes its method, leads nowhere. */
const notFound = ({ method, url }: HttpServerRequest.HttpServerRequest): Envelope => {
  if (hasStraySlash({ method, url })) {
    return new RouteNotFound({
      message: `No endpoint answers ${method} on a path that ends with a slash: some clients make one of a last segment . or ..`
    })
  }
  const allowed = methodsOf(url)
  if (allowed.length > 0 && !allowed.includes(method)) {
    return new MethodNotAllowed({ message: `${method} is not allowed here, but ${allowed.join(", ")}` })
  }
  const nearest = allowed.length > 0 ? undefined : nearestRoute(method, url)
  const meant = nearest === undefined ? "" : `, did you mean ${nearest}?`
  return new RouteNotFound({ message: `No endpoint answers ${method} on this path${meant}` })
}

const unreadable = (error: HttpServerError.RequestError): Envelope =>
  error.reason === "Decode"
    ? new MalformedJson({ message: "The body is not valid JSON" })
    : new MalformedRequest({ message: "The request could not be read" })

/** The declared failure that stands for anything a handler, the router or the platform may fail with. */
const declare = (error: unknown, request: HttpServerRequest.HttpServerRequest): Envelope => {
  if (isEnvelope(error)) return error
  if (error instanceof HttpApiError.HttpApiDecodeError) return misfit(error, request)
  if (HttpServerError.isServerError(error) && error._tag === "RouteNotFound") return notFound(request)
  if (HttpServerError.isServerError(error) && error._tag === "RequestError") return unreadable(error)
  if (Predicate.isTagged(error, "MultipartError")) {
    return new MalformedRequest({ message: "The multipart body could not be read" })
  }
  if (Predicate.isTagged(error, "StoreFull")) {
    return new StorageFull({ message: "The disk of this server is full: nothing was stored" })
  }
  if (Predicate.isTagged(error, "StoreLost")) {
    return new StorageLost({
      message: "The data folder of this server was deleted, moved or replaced: nothing was stored"
    })
  }
  if (Predicate.isTagged(error, "ReferencesChanged")) {
    return new ChangedMeanwhile({
      message:
        "Somebody removed what this belongs to, or made something that names it, at the same time: nothing was stored, ask again"
    })
  }
  if (Predicate.isTagged(error, "MetadataUnavailable")) {
    return new MetadataUnavailable({ message: "The database of this server cannot be reached now" })
  }
  if (Predicate.isTagged(error, "StoreUnavailable")) {
    return new StoreUnavailable({ message: "The database that answers questions cannot be reached now" })
  }
  if (Predicate.isTagged(error, "MetadataDamaged")) {
    return new DataDamaged({
      message: "Data that the answer needs are damaged on the disk of this server, whose log names them"
    })
  }
  return wentWrong()
}

/** The response of a refused request. Game clients read `errorCode`, so `/sdk` sends it too. */
export const envelope = (
  { statusCode, code, error, message }: Envelope,
  request: HttpServerRequest.HttpServerRequest
): HttpServerResponse.HttpServerResponse => {
  const body = { statusCode, code, error, message }
  const response = HttpServerResponse.unsafeJson(isForGames(request.url) ? { ...body, errorCode: code } : body, {
    status: statusCode
  })
  if (statusCode !== 405) return response
  return HttpServerResponse.setHeader(response, "allow", methodsOf(request.url).join(", "))
}

/** The same with the time after which to try again, where the failure tells one. */
export const failed = (
  failure: Envelope,
  request: HttpServerRequest.HttpServerRequest
): HttpServerResponse.HttpServerResponse => {
  const response = envelope(failure, request)
  return Predicate.hasProperty(failure, "retryAfterSeconds")
    ? HttpServerResponse.setHeader(response, "retry-after", String(failure.retryAfterSeconds))
    : response
}

/** Answers every failure, declared or not, in the one envelope. A defect is logged and says nothing of itself. */
export const respond = (cause: Cause.Cause<unknown>, request: HttpServerRequest.HttpServerRequest) => {
  const error = Cause.squash(cause)
  if (HttpServerResponse.isServerResponse(error)) return Effect.succeed(error)
  const failure = declare(error, request)
  const answer = Effect.succeed(failed(failure, request))
  if (failure.statusCode !== 500) return answer
  const logged =
    error instanceof HttpApiError.HttpApiDecodeError
      ? Effect.logError(`An answer does not fit its schema, at ${placesIn(error).join(", ")}`)
      : Effect.logError("Unhandled failure", cause)
  return Effect.zipRight(logged, answer)
}
