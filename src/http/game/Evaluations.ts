import type { HttpServerRequest } from "@effect/platform"
import { Effect, Exit, Option, Runtime, Schema } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { EvaluateConfiguration } from "../../../schema/game/SdkConfigurations.ts"
import { mebibyte } from "../../domain/LruCache.ts"
import { ValidCache } from "../../domain/ValidCache.ts"
import type { Validity } from "../../domain/Validity.ts"
import type { Ready } from "../../services/game/Delivery.ts"
import { type GameScope, SdkConfigurations } from "../../services/game/SdkConfigurations.ts"
import { RequestTraces } from "../middleware/RequestTraces.ts"
import { flawOf, surveyOf } from "../platform/Flaws.ts"
import { KeyScopes } from "./KeyScopes.ts"
import { isUnescaped, plainEvaluationIn } from "./PlainQuestions.ts"
import { parseJson, send } from "./PlainRequest.ts"
import { polledAnswer } from "./Polled.ts"

const route = { path: "/sdk/v2/configurations/evaluate", maxBodyBytes: 65_536 }

/** Bytes of a scope without its validity. */
const scopeBytes = 64

/** A shorter body has no more fields than any body may. */
const plainBytes = 4096

const decode = Schema.decodeUnknownOption(EvaluateConfiguration)

const questionIn = (bytes: Buffer): Option.Option<EvaluateConfiguration> => {
  const value = Option.getOrUndefined(parseJson(bytes))
  const plain = bytes.length < plainBytes && isUnescaped(bytes) ? plainEvaluationIn(value) : undefined
  if (plain !== undefined) return Option.some(plain)
  const survey = surveyOf(bytes)
  return survey.excess === undefined && flawOf(value, survey) === undefined ? decode(value) : Option.none()
}

/**
 * Fast path for `/evaluate`: answers without routing, authentication or decoding by the platform while the scope kept for this key is
 * still valid. Unusual requests and all failures fall through to the regular handler, which produces the error.
 */
export class Evaluations extends Effect.Service<Evaluations>()("http/game/Evaluations", {
  effect: Effect.gen(function* () {
    const configurations = yield* SdkConfigurations
    const traces = yield* RequestTraces
    const clock = yield* Effect.clock
    const run = Runtime.runCallback(yield* Effect.runtime())
    const scopes = new KeyScopes(new ValidCache<GameScope>(8 * mebibyte, () => scopeBytes), () =>
      clock.unsafeCurrentTimeMillis()
    )

    /** Called by the handler: further questions with the same key and headers may be answered in `scope`. */
    const allow = (request: HttpServerRequest.HttpServerRequest, scope: GameScope): void =>
      scopes.allow(request, scope, (access) => access.and(scope.validity))

    /** Keeps the scope that the handler allowed. `access` is the access version of before the authentication. */
    const keep = (request: HttpServerRequest.HttpServerRequest, access: Validity): void => scopes.keep(request, access)

    /** Answers a request if it can; false leaves it to the platform. True takes it, and `fallThrough` may still hand it on. */
    const answer = (request: IncomingMessage, response: ServerResponse, fallThrough: () => void): boolean =>
      scopes.take(route, request, fallThrough, (scope, bytes, handOn) => {
        const { "if-none-match": ifNoneMatch, "server-id": named } = request.headers
        const question = questionIn(bytes)
        if (Option.isNone(question)) return handOn(bytes)
        const known = { ifNoneMatch, knownHash: question.value.knownHash }
        const serverId = typeof named === "string" ? named : undefined
        const settled = configurations.settled(scope, question.value, serverId)
        if (settled !== undefined) return send(request, response, polledAnswer(settled, known))
        const onExit = Exit.match({
          onFailure: () => handOn(bytes),
          onSuccess: (ready: Ready) => send(request, response, polledAnswer(ready, known))
        })
        if (!traces.areOn && configurations.join(scope, question.value, serverId, onExit)) return
        run(traces.answering(request, configurations.evaluateIn(scope, question.value, serverId)), { onExit })
      })

    return { allow, keep, answer } as const
  })
}) {}
