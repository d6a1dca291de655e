import type { HttpServerRequest } from "@effect/platform"
import { Effect, Exit, Option, Runtime, Schema } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { AssignUnits } from "../../../schema/game/SdkExperiments.ts"
import { mebibyte } from "../../domain/LruCache.ts"
import { ValidCache } from "../../domain/ValidCache.ts"
import type { Validity } from "../../domain/Validity.ts"
import { type AssignScope, SdkExperiments } from "../../services/game/SdkExperiments.ts"
import { RequestTraces } from "../middleware/RequestTraces.ts"
import { flawOf, surveyOf } from "../platform/Flaws.ts"
import { KeyScopes } from "./KeyScopes.ts"
import { isUnescaped, namedUnitsIn } from "./PlainQuestions.ts"
import { parseJson, type PlainAnswer, send } from "./PlainRequest.ts"

/** A larger body is read by the platform, in turns. */
const route = { path: "/sdk/v2/experiments/assignments/bulk", maxBodyBytes: 65_536 }

/** Bytes of a scope without its validity. */
const scopeBytes = 64

const decode = Schema.decodeUnknownOption(AssignUnits)

const unitsIn = (value: unknown, bytes: Buffer): Option.Option<AssignUnits> => {
  const survey = surveyOf(bytes)
  return survey.excess === undefined && flawOf(value, survey) === undefined ? decode(value) : Option.none()
}

/** The service writes the answer itself: most units of a large one are written already. */
export const written = (bytes: Uint8Array): PlainAnswer => ({ status: 200, headers: {}, json: bytes })

/**
 * Fast path for the assignments of many units: answers without routing, authentication or decoding by the platform while the scope kept
 * for this key is still valid. Where all units are settled and nothing is said of them, no fiber starts and no schema is asked. Unusual
 * requests and all failures fall through to the regular handler, which produces the error.
 */
export class BulkAssignments extends Effect.Service<BulkAssignments>()("http/game/BulkAssignments", {
  effect: Effect.gen(function* () {
    const experiments = yield* SdkExperiments
    const traces = yield* RequestTraces
    const clock = yield* Effect.clock
    const run = Runtime.runCallback(yield* Effect.runtime())
    const scopes = new KeyScopes(new ValidCache<AssignScope>(8 * mebibyte, () => scopeBytes), () =>
      clock.unsafeCurrentTimeMillis()
    )

    /** Called by the handler: further units may be assigned with the same key and headers in `scope`. */
    const allow = (request: HttpServerRequest.HttpServerRequest, scope: AssignScope): void =>
      scopes.allow(request, scope, (access) => access.endingAt(scope.until))

    /** Keeps the scope that the handler allowed. `access` is the access version of before the authentication. */
    const keep = (request: HttpServerRequest.HttpServerRequest, access: Validity): void => scopes.keep(request, access)

    /** The answer about settled units of which nothing is said. */
    const settled = ({ environmentId }: AssignScope, value: unknown, bytes: Buffer): Uint8Array | undefined => {
      const named = isUnescaped(bytes) && surveyOf(bytes).excess === undefined ? namedUnitsIn(value) : undefined
      return named === undefined ? undefined : experiments.settled(environmentId, named)
    }

    /** Answers a request if it can; false leaves it to the platform. True takes it, and `fallThrough` may still hand it on. */
    const answer = (request: IncomingMessage, response: ServerResponse, fallThrough: () => void): boolean =>
      scopes.take(route, request, fallThrough, (scope, bytes, handOn) => {
        const value = Option.getOrUndefined(parseJson(bytes))
        const known = settled(scope, value, bytes)
        if (known !== undefined) return send(request, response, written(known))
        const asked = unitsIn(value, bytes)
        if (Option.isNone(asked)) return handOn(bytes)
        run(traces.answering(request, experiments.assignIn(scope.environmentId, asked.value)), {
          onExit: Exit.match({
            onFailure: () => handOn(bytes),
            onSuccess: (found) => send(request, response, written(found))
          })
        })
      })

    return { allow, keep, answer } as const
  })
}) {}
