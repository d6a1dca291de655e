import type { HttpServerRequest } from "@effect/platform"
import { Effect, Exit, Runtime } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { mebibyte } from "../../domain/LruCache.ts"
import { ValidCache } from "../../domain/ValidCache.ts"
import type { Validity } from "../../domain/Validity.ts"
import { Ingest, type IngestScope } from "../../services/ingest/Ingest.ts"
import { isPlain, parseJson, readBytes, scopeKeyOf, send } from "../game/PlainRequest.ts"
import { leaveBody } from "../platform/Body.ts"
import { RequestNotes } from "../platform/RequestNotes.ts"
import { answered, markersIn } from "./IngestAnswer.ts"

const path = "/sdk/v1/markers"

/** Largest body that the fast path reads, as on the regular path. */
const maxFastBodyBytes = 1024 * 1024

/** Bytes of a scope: an environment's record with its names. */
const scopeBytes = 1024

/**
 * Fast path for markers: stores those of a key that is already authenticated without routing, authentication or decoding by the
 * platform. Unusual requests, and all failures except a batch of which every marker is rejected, fall through to the regular
 * handler, which stores nothing twice and produces the error.
 */
export class Ingestions extends Effect.Service<Ingestions>()("http/ingest/Ingestions", {
  effect: Effect.gen(function* () {
    const ingest = yield* Ingest
    const clock = yield* Effect.clock
    const run = Runtime.runCallback(yield* Effect.runtime())
    const scopes = new ValidCache<IngestScope>(8 * mebibyte, () => scopeBytes)
    const allowed = new RequestNotes<IngestScope>()

    /** Called by the handler: further markers with the same key and headers may be stored in `scope`. */
    const allow = (request: HttpServerRequest.HttpServerRequest, scope: IngestScope): void => {
      allowed.set(request, scope)
    }

    /** Keeps the scope that the handler allowed. `access` is the access version of before the authentication. */
    const keep = (request: HttpServerRequest.HttpServerRequest, access: Validity): void => {
      const scope = allowed.get(request)
      if (scope !== undefined) scopes.set(scopeKeyOf(request.headers), scope, access.endingAt(scope.until))
    }

    const scopeOf = (key: string): IngestScope | undefined => scopes.get(key, clock.unsafeCurrentTimeMillis())

    const store = (scope: IngestScope, bytes: Buffer) =>
      parseJson(bytes).pipe(
        Effect.flatMap(markersIn),
        Effect.flatMap((markers) => answered(ingest.markers(scope.environment, markers)))
      )

    /** Takes a request if it can; false leaves it to the platform. True takes it, and `fallThrough` may still hand it on. */
    const answer = (request: IncomingMessage, response: ServerResponse, fallThrough: () => void): boolean => {
      const { headers } = request
      if (request.method !== "POST" || request.url !== path || !isPlain(headers, maxFastBodyBytes)) return false
      const key = scopeKeyOf(headers)
      if (scopeOf(key) === undefined) return false
      readBytes(request, (bytes) => {
        const handOn = () => {
          leaveBody(request, bytes)
          fallThrough()
        }
        // The scope may have ended while the body arrived.
        const scope = scopeOf(key)
        if (scope === undefined) return handOn()
        return run(store(scope, bytes), {
          onExit: Exit.match({ onFailure: handOn, onSuccess: (answer) => send(request, response, answer) })
        })
      })
      return true
    }

    return { allow, keep, answer } as const
  })
}) {}
