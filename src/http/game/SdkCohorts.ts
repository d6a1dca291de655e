import { HttpApiBuilder, type HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { networkOf } from "../../domain/operations/Network.ts"
import { RateLimiter } from "../../services/access/RateLimiter.ts"
import { membershipLimit, membershipOfNetwork, SdkCohorts } from "../../services/game/SdkCohorts.ts"
import { addressOf, rateLimit } from "../middleware/RateLimit.ts"

export const SdkCohortsHttp = HttpApiBuilder.group(Api, "sdkCohorts", (handlers) =>
  Effect.map(Effect.all([SdkCohorts, RateLimiter]), ([cohorts, limiter]) => {
    /** Counts by network before it counts by key, so that what is refused to one player is not taken from the others. */
    const limited = (caller: string, isPublic: boolean, request: HttpServerRequest.HttpServerRequest) => {
      const ofKey = rateLimit(limiter, "cohort membership", membershipLimit, caller)
      const network = isPublic ? networkOf(addressOf(request, cohorts.trustProxy)) : undefined
      if (network === undefined) return ofKey
      const ofNetwork = rateLimit(
        limiter,
        "cohort membership of a network",
        membershipOfNetwork,
        `${caller} ${network}`
      )
      return Effect.zipRight(ofNetwork, ofKey)
    }

    return handlers.handle("membership", ({ headers, payload, request }) =>
      Effect.flatMap(cohorts.open(headers), ({ caller, isPublic, membership }) =>
        Effect.zipRight(limited(caller, isPublic, request), membership(payload))
      )
    )
  })
)
