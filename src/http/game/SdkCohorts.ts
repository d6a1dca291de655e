import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { RateLimiter } from "../../services/access/RateLimiter.ts"
import { membershipLimit, SdkCohorts } from "../../services/game/SdkCohorts.ts"
import { rateLimit } from "../middleware/RateLimit.ts"

export const SdkCohortsHttp = HttpApiBuilder.group(Api, "sdkCohorts", (handlers) =>
  Effect.map(Effect.all([SdkCohorts, RateLimiter]), ([cohorts, limiter]) =>
    handlers.handle("membership", ({ headers, payload }) =>
      Effect.flatMap(cohorts.open(headers), ({ caller, membership }) =>
        Effect.zipRight(rateLimit(limiter, "cohort membership", membershipLimit, caller), membership(payload))
      )
    )
  )
)
