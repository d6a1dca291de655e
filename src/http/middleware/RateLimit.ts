import type { HttpServerRequest } from "@effect/platform"
import { HttpApp, HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import { IncomingMessage } from "node:http"
import { RateLimited } from "../../../schema/RequestErrors.ts"
import type { Limit, RateVerdict } from "../../domain/access/RateLimit.ts"
import { presentedIn } from "../../domain/access/Token.ts"
import { withoutPort } from "../../domain/operations/Network.ts"
import type { RateLimiter } from "../../services/access/RateLimiter.ts"
import type { Caller } from "../../services/operations/RequestLimits.ts"

const headersOf = ({ limit }: Limit, { remaining, resetMillis }: RateVerdict) => ({
  "ratelimit-limit": String(limit),
  "ratelimit-remaining": String(remaining),
  "ratelimit-reset": String(Math.ceil(resetMillis / 1000))
})

const forwardedIn = (field: string | ReadonlyArray<string> | undefined): string | undefined =>
  typeof field === "string" ? withoutPort(field.slice(field.lastIndexOf(",") + 1).trim()) : undefined

/** Address of the caller; behind a trusted proxy the one it reports. */
export const addressOf = (
  request: HttpServerRequest.HttpServerRequest | IncomingMessage,
  trustProxy: boolean
): string => {
  const forwarded = trustProxy ? forwardedIn(request.headers["x-forwarded-for"]) : undefined
  if (forwarded !== undefined) return forwarded
  return request instanceof IncomingMessage
    ? (request.socket.remoteAddress ?? "unknown")
    : Option.getOrElse(request.remoteAddress, () => "unknown")
}

/** Who is counted: the key or token that is presented, looked up or not, and the address. */
export const callerOf = (
  request: HttpServerRequest.HttpServerRequest | IncomingMessage,
  trustProxy: boolean
): Caller => {
  const { authorization } = request.headers
  return {
    key: authorization === undefined ? undefined : presentedIn(authorization),
    address: addressOf(request, trustProxy)
  }
}

/** Refuses the route past its limit and tells every caller where it stands. */
export const rateLimit = (limiter: RateLimiter, route: string, limit: Limit, caller: string) =>
  Effect.gen(function* () {
    const taken = yield* limiter.request(`${route} ${caller}`, limit)
    if (Option.isNone(taken)) return
    const headers = headersOf(limit, taken.value)
    yield* HttpApp.appendPreResponseHandler((_, response) =>
      Effect.succeed(HttpServerResponse.setHeaders(response, headers))
    )
    if (!taken.value.allowed) {
      return yield* Effect.fail(RateLimited.after(taken.value.resetMillis / 1000, "Too many requests: slow down"))
    }
  })
