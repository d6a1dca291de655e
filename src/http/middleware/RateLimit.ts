import type { HttpServerRequest } from "@effect/platform"
import { HttpApp, HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import { RateLimited } from "../../../schema/RequestErrors.ts"
import type { Limit, Verdict } from "../../domain/access/RateLimit.ts"
import type { RateLimiter } from "../../services/access/RateLimiter.ts"

const headersOf = ({ limit }: Limit, { remaining, resetMs }: Verdict) => ({
  "ratelimit-limit": String(limit),
  "ratelimit-remaining": String(remaining),
  "ratelimit-reset": String(Math.ceil(resetMs / 1000))
})

/** Address of the caller; behind a trusted proxy the one it reports. */
export const addressOf = (request: HttpServerRequest.HttpServerRequest, trustProxy: boolean): string => {
  const forwarded = trustProxy ? request.headers["x-forwarded-for"]?.split(",").at(-1)?.trim() : undefined
  return forwarded ?? Option.getOrElse(request.remoteAddress, () => "unknown")
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
      return yield* Effect.fail(RateLimited.after(taken.value.resetMs / 1000, "Too many requests: slow down"))
    }
  })
