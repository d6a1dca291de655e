import type { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect, Exit, Option, Runtime, Schema } from "effect"
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http"
import { EvaluateConfiguration } from "../../../schema/game/SdkConfigurations.ts"
import type { Ready } from "../../services/game/Delivery.ts"
import { Freshness } from "../../services/game/Freshness.ts"
import type { Ground } from "../../services/game/SdkConfigurations.ts"
import { UnitAnswers } from "../../services/game/UnitAnswers.ts"
import { flawOf, leaveBody } from "../platform/Body.ts"
import { crossOrigin, safe } from "../middleware/CrossOrigin.ts"
import { polled } from "./Polled.ts"

const path = "/sdk/v2/configurations/evaluate"

/** Largest body that is read here, in bytes; a larger one takes the whole way. */
const largest = 65_536

/** Keys kept at most; one more and it starts anew. */
const capacity = 10_000

interface Known {
  /** Of what keys may do, from before the key was looked at. */
  readonly mark: number
  readonly ground: Ground
}

/** Who asks, and of which environment. */
const askerOf = ({ authorization, environment, isstudio, "project-id": project }: IncomingHttpHeaders): string =>
  `${authorization}\n${String(environment)}\n${String(isstudio)}\n${String(project)}`

const isPlain = (headers: IncomingHttpHeaders): boolean => {
  const length = Number(headers["content-length"])
  return (
    length > 0 &&
    length <= largest &&
    headers["content-encoding"] === undefined &&
    /^application\/json\s*(;|$)/i.test(headers["content-type"] ?? "") &&
    String(headers["server-id"] ?? "").length <= 128 &&
    (headers["if-none-match"] ?? "").length <= 256
  )
}

const parse = Option.liftThrowable((bytes: Buffer): unknown => JSON.parse(bytes.toString()))
const decode = Schema.decodeUnknownOption(EvaluateConfiguration)

const questionIn = (bytes: Buffer): Option.Option<EvaluateConfiguration> =>
  Option.flatMap(
    Option.filter(parse(bytes), (value) => flawOf(value, []) === undefined),
    decode
  )

const send = (response: ServerResponse, answer: HttpServerResponse.HttpServerResponse): void => {
  const { status, headers, body } = answer
  const length =
    body._tag === "Uint8Array" ? { "content-length": body.body.length, "content-type": body.contentType } : {}
  response.writeHead(status, { ...headers, ...length, ...safe, ...crossOrigin })
  response.end(body._tag === "Uint8Array" ? body.body : undefined)
}

/**
 * Answers what a unit gets, before anything else looks at the request, while nothing has changed that the key's last answer rested on.
 * What is not plain, or fails, takes the whole way, which says why.
 */
export class Evaluations extends Effect.Service<Evaluations>()("http/game/Evaluations", {
  effect: Effect.gen(function* () {
    const answers = yield* UnitAnswers
    const freshness = yield* Freshness
    const runtime = yield* Effect.runtime()
    const known = new Map<string, Known>()
    const grounds = new WeakMap<object, Ground>()

    /** The next question of this key may be answered from what this one rested on. */
    const allow = (request: HttpServerRequest.HttpServerRequest, ground: Ground): void => {
      grounds.set(NodeHttpServerRequest.toIncomingMessage(request), ground)
    }

    /** Keeps what was allowed, with the mark that was taken before the request was looked at. */
    const keep = (request: HttpServerRequest.HttpServerRequest, mark: number): void => {
      const ground = grounds.get(NodeHttpServerRequest.toIncomingMessage(request))
      if (ground === undefined) return
      if (known.size >= capacity) known.clear()
      known.set(askerOf(request.headers), { mark, ground })
    }

    const evaluate = (
      { environmentId, delivered }: Ground,
      { configuration, unit, context }: EvaluateConfiguration,
      serverId: string | undefined
    ) => {
      const asking = { ...unit, context: context?.properties ?? {} }
      return answers.answerFor(environmentId, delivered, configuration, asking, serverId)
    }

    const knownAnswer = (
      { environmentId, delivered }: Ground,
      { configuration, unit, context }: EvaluateConfiguration,
      serverId: string | undefined
    ): Ready | undefined =>
      context === undefined ? answers.known(environmentId, delivered, configuration, unit, serverId) : undefined

    const standing = (asker: string): Known | undefined => {
      const found = known.get(asker)
      if (found === undefined || freshness.holds(found.mark, found.ground.standing)) return found
      known.delete(asker)
      return undefined
    }

    const run = Runtime.runCallback(runtime)

    /** Answers a request if it can; `goOn` has it answered in full. */
    const answer = (request: IncomingMessage, response: ServerResponse, goOn: () => void): boolean => {
      const { headers } = request
      if (request.method !== "POST" || request.url !== path || !isPlain(headers)) return false
      const asker = askerOf(headers)
      if (standing(asker) === undefined) return false
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.once("end", () => {
        const bytes = Buffer.concat(chunks)
        const resign = () => {
          leaveBody(request, bytes)
          goOn()
        }
        const asked = questionIn(bytes)
        const present = standing(asker)
        if (Option.isNone(asked) || present === undefined) return resign()
        const ifNoneMatch = headers["if-none-match"]
        const { knownHash } = asked.value
        const named = headers["server-id"]
        const serverId = typeof named === "string" ? named : undefined
        const known = knownAnswer(present.ground, asked.value, serverId)
        if (known !== undefined) return send(response, polled(known, { ifNoneMatch, knownHash }))
        return run(evaluate(present.ground, asked.value, serverId), {
          onExit: Exit.match({
            onFailure: resign,
            onSuccess: (ready: Ready) => send(response, polled(ready, { ifNoneMatch, knownHash }))
          })
        })
      })
      return true
    }

    return { allow, keep, answer } as const
  })
}) {}
