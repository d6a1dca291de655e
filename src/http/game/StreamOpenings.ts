import type { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { mebibyte } from "../../domain/LruCache.ts"
import { ValidCache } from "../../domain/ValidCache.ts"
import type { Validity } from "../../domain/Validity.ts"
import { Notices, type StreamScope } from "../../services/game/Notices.ts"
import { RequestLimits } from "../../services/operations/RequestLimits.ts"
import { gameHeaders } from "../middleware/CrossOrigin.ts"
import { limitFieldsOf } from "../middleware/LimitFields.ts"
import { callerOf } from "../middleware/RateLimit.ts"
import { requestIdHeader, requestIdOf } from "../middleware/RequestId.ts"
import { RequestTraces } from "../middleware/RequestTraces.ts"
import { hasBody } from "../middleware/SocketAnswer.ts"
import { follow, streamHeaders, streamType } from "../platform/EventStream.ts"
import { KeyScopes } from "./KeyScopes.ts"
import { fieldList } from "./PlainRequest.ts"

const path = "/sdk/v2/stream"

/** Bytes of a scope: an audience, and the request that is asked again whether it may still listen. */
const scopeBytes = 1024

/** The longest id that a game may name as its last. */
const maxIdLength = 64

const fields = fieldList({ ...gameHeaders, ...streamHeaders, "content-type": streamType })

/**
 * Fast path for streams of notices: opens one for a key that is already authenticated without routing, authentication or decoding by the
 * platform. When a server comes back, all games that listened open theirs together. Unusual requests and all refusals are left to the
 * regular handler.
 */
export class StreamOpenings extends Effect.Service<StreamOpenings>()("http/game/StreamOpenings", {
  effect: Effect.gen(function* () {
    const notices = yield* Notices
    const limits = yield* RequestLimits
    const traces = yield* RequestTraces
    const clock = yield* Effect.clock
    const scopes = new KeyScopes(new ValidCache<StreamScope>(8 * mebibyte, () => scopeBytes), () =>
      clock.unsafeCurrentTimeMillis()
    )

    /** Called by the handler: further streams with the same key and headers may be opened in `scope`. */
    const allow = (request: HttpServerRequest.HttpServerRequest, scope: StreamScope): void =>
      scopes.allow(request, scope, (access) => access.endingAt(scope.until))

    /** Keeps the scope that the handler allowed. `access` is the access version of before the authentication. */
    const keep = (request: HttpServerRequest.HttpServerRequest, access: Validity): void => scopes.keep(request, access)

    /** Opens a stream if it can; false leaves the request to the platform. */
    const answer = (request: IncomingMessage, response: ServerResponse): boolean => {
      const { method, url, headers } = request
      if (url !== path || method !== "GET" || hasBody(headers) || traces.areOn) return false
      const scope = scopes.scopeOf(request)
      const lastId = headers["last-event-id"]
      if (scope === undefined || Array.isArray(lastId) || (lastId?.length ?? 0) > maxIdLength) return false
      const caller = callerOf(request, limits.trustProxy)
      const seat = limits.isFull(caller) ? undefined : notices.joinAtOnce(scope, lastId)
      if (seat === undefined) return false
      const told = fieldList(limitFieldsOf(request))
      response.writeHead(200, [...fields, ...told, requestIdHeader, requestIdOf(request)])
      follow(response, { seat, hold: () => limits.hold(caller) })
      return true
    }

    return { allow, keep, answer } as const
  })
}) {}
