import type { HttpServerRequest } from "@effect/platform"
import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import type { KnownHash, PollHeaders } from "../../../schema/game/GameHeaders.ts"
import { Notices } from "../../services/game/Notices.ts"
import type { ValidAnswer } from "../../services/game/SdkConfigurations.ts"
import { SdkConfigurations } from "../../services/game/SdkConfigurations.ts"
import { RateLimited } from "../../../schema/RequestErrors.ts"
import { RequestLimits } from "../../services/operations/RequestLimits.ts"
import { callerOf } from "../middleware/RateLimit.ts"
import { Evaluations } from "./Evaluations.ts"
import { beginStream } from "../platform/EventStream.ts"
import { polled } from "./Polled.ts"
import { Replay } from "./Replay.ts"
import { StreamOpenings } from "./StreamOpenings.ts"

/** A game may ask for a stream again half a minute later. */
const tooManyStreams = Effect.fail(RateLimited.after(30, "Too many open streams: close some, or poll"))

interface Poll {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly headers: PollHeaders
  readonly urlParams: KnownHash
}

export const SdkConfigurationsHttp = HttpApiBuilder.group(Api, "sdkConfigurations", (handlers) =>
  Effect.gen(function* () {
    const configurations = yield* SdkConfigurations
    const notices = yield* Notices
    const limits = yield* RequestLimits
    const replay = yield* Replay
    const evaluations = yield* Evaluations
    const openings = yield* StreamOpenings

    const respond = ({ request, headers, urlParams }: Poll, answer: ValidAnswer) => {
      replay.allow(request, answer.validity)
      return polled(answer, { hash: urlParams.hash, ifNoneMatch: headers["if-none-match"] })
    }

    return handlers
      .handle("bootstrap", (poll) =>
        Effect.map(configurations.bootstrap({ version: 2, headers: poll.headers }), (answer) => respond(poll, answer))
      )
      .handle("status", (poll) =>
        Effect.map(configurations.status({ version: 2, headers: poll.headers }), (answer) => respond(poll, answer))
      )
      .handle("get", (poll) =>
        Effect.map(configurations.get({ version: 2, headers: poll.headers }, poll.urlParams.configuration), (answer) =>
          respond(poll, answer)
        )
      )
      .handle("evaluate", ({ request, headers, payload }) =>
        Effect.map(
          configurations.evaluate({ version: 2, headers }, payload, headers["server-id"]),
          ({ ready, scope }) => {
            evaluations.allow(request, scope)
            return polled(ready, { ifNoneMatch: headers["if-none-match"], knownHash: payload.knownHash })
          }
        )
      )
      .handle("stream", ({ headers, request }) =>
        Effect.gen(function* () {
          const caller = callerOf(request, limits.trustProxy)
          if (limits.isFull(caller)) return yield* tooManyStreams
          const scope = yield* notices.scopeOf({ version: 2, headers })
          const seat = yield* notices.join(scope, headers["last-event-id"])
          openings.allow(request, scope)
          return beginStream(request, { seat, hold: () => limits.hold(caller) })
        })
      )
  })
)
