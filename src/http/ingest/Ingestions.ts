import type { HttpServerRequest } from "@effect/platform"
import { Effect, Exit, Runtime } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { InternalError } from "../../../schema/RequestErrors.ts"
import { mebibyte } from "../../domain/LruCache.ts"
import { ValidCache } from "../../domain/ValidCache.ts"
import type { Validity } from "../../domain/Validity.ts"
import { Ingest, type IngestScope, tooManyWait } from "../../services/ingest/Ingest.ts"
import { KeyScopes } from "../game/KeyScopes.ts"
import { send } from "../game/PlainRequest.ts"
import { RequestTraces } from "../middleware/RequestTraces.ts"
import { refuseAtSocket } from "../middleware/SocketRefusal.ts"
import { parsed } from "../platform/Body.ts"
import { answered, json, markersIn } from "./IngestAnswer.ts"

/** Bodies may be as large as on the regular path. */
const route = { path: "/sdk/v1/markers", maxBodyBytes: 1024 * 1024 }

/** A larger body is read here, in turns, so that the requests of others need not wait while the store reads it. */
const unreadBytes = 64 * 1024

/** What is said where the store has died with a body that it was to read. */
const lost = new InternalError({ message: "Something went wrong" })

/** Bytes of a scope: an environment's record with its names. */
const scopeBytes = 1024

/**
 * Fast path for markers: stores those of a key that is already authenticated without routing, authentication or decoding by the
 * platform. The store reads their bodies where it can. Unusual requests, and all failures except a batch of which every marker is rejected, fall through to the regular
 * handler, which stores nothing twice and produces the error.
 */
export class Ingestions extends Effect.Service<Ingestions>()("http/ingest/Ingestions", {
  effect: Effect.gen(function* () {
    const ingest = yield* Ingest
    const traces = yield* RequestTraces
    const clock = yield* Effect.clock
    const run = Runtime.runCallback(yield* Effect.runtime())
    const scopes = new KeyScopes(new ValidCache<IngestScope>(8 * mebibyte, () => scopeBytes), () =>
      clock.unsafeCurrentTimeMillis()
    )

    /** Called by the handler: further markers with the same key and headers may be stored in `scope`. */
    const allow = (request: HttpServerRequest.HttpServerRequest, scope: IngestScope): void =>
      scopes.allow(request, scope, (access) => access.endingAt(scope.until))

    /** Keeps the scope that the handler allowed. `access` is the access version of before the authentication. */
    const keep = (request: HttpServerRequest.HttpServerRequest, access: Validity): void => scopes.keep(request, access)

    const store = (scope: IngestScope, bytes: Buffer) =>
      parsed(bytes).pipe(
        Effect.flatMap(markersIn),
        Effect.flatMap((markers) => answered(ingest.markers(scope.environment, markers)))
      )

    /** Takes a request if it can; false leaves it to the platform. True takes it, and `fallThrough` may still hand it on. */
    const answer = (request: IncomingMessage, response: ServerResponse, fallThrough: () => void): boolean =>
      scopes.take(route, request, fallThrough, (scope, bytes, handOn) => {
        const readHere = (body: Buffer) => {
          run(traces.answering(request, store(scope, body)), {
            onExit: Exit.match({
              onFailure: () => handOn(body),
              onSuccess: (stored) => send(request, response, stored)
            })
          })
        }
        if (bytes.length > unreadBytes) return readHere(bytes)
        ingest.receive(scope.environment, bytes, (result, left) => {
          if (result !== null) send(request, response, json(result, 200))
          else if (left === null) refuseAtSocket(request, response, lost, {})
          else readHere(Buffer.from(left.buffer, left.byteOffset, left.byteLength))
        })
      })

    /** Refuses markers while too many wait to be stored, before their bodies are read and anything else is asked; true where it has. */
    const refuse = (request: IncomingMessage, response: ServerResponse): boolean => {
      const { method, url = "/" } = request
      if (method !== "POST" || !url.startsWith(route.path) || !ingest.isOverloaded()) return false
      refuseAtSocket(request, response, tooManyWait, { "retry-after": "2" })
      return true
    }

    return { allow, keep, refuse, answer } as const
  })
}) {}
