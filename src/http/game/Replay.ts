import type { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { mebibyte, textBytes } from "../../domain/LruCache.ts"
import { ValidCache } from "../../domain/ValidCache.ts"
import type { Validity } from "../../domain/Validity.ts"
import type { Fields } from "../middleware/LimitFields.ts"
import { hasBody } from "../middleware/SocketAnswer.ts"
import { RequestNotes } from "../platform/RequestNotes.ts"
import { type FieldList, fieldList, sendFields, sent } from "./PlainRequest.ts"

/** A response as it was sent. */
interface KeptAnswer {
  readonly status: number
  readonly fields: FieldList
  readonly bytes: Uint8Array | null
}

interface Poll {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

const bytesOf = ({ fields, bytes }: KeptAnswer): number =>
  fields.reduce((sum, field) => sum + textBytes(field), 0) + (bytes === null ? 0 : bytes.length)

/** Everything in a poll that its answer depends on. Undefined for other requests, and for those that have to be read in full to be refused. */
const questionOf = ({ method, url, headers }: Poll): string | undefined => {
  if (method !== "GET" || url === undefined || !url.startsWith("/sdk/v2/")) return undefined
  if (hasBody(headers)) return undefined
  const { authorization, environment, isstudio } = headers
  if (authorization === undefined || (headers["server-id"]?.length ?? 0) > 128) return undefined
  const scope = `${sent(environment)}\n${sent(isstudio)}\n${sent(headers["project-id"])}`
  return `${url}\n${authorization}\n${scope}\n${sent(headers["if-none-match"])}`
}

/**
 * Fast path for polls: sends the last response to an identical request again while nothing it rests on has changed, without routing,
 * authentication or decoding. The first response always comes from the regular handler.
 */
export class Replay extends Effect.Service<Replay>()("http/game/Replay", {
  effect: Effect.gen(function* () {
    const clock = yield* Effect.clock
    const answers = new ValidCache<KeptAnswer>(64 * mebibyte, bytesOf)
    const validities = new RequestNotes<Validity>()

    /** Called by a handler whose response may be sent again while `validity` holds. */
    const allow = (request: HttpServerRequest.HttpServerRequest, validity: Validity): void => {
      validities.set(request, validity)
    }

    /** Keeps a response that its handler allowed to be sent again. `access` is the access version of before the authentication. */
    const keep = (
      request: HttpServerRequest.HttpServerRequest,
      { status, headers, body }: HttpServerResponse.HttpServerResponse,
      access: Validity
    ): void => {
      const validity = validities.get(request)
      const question = validity === undefined ? undefined : questionOf(request)
      if (validity === undefined || question === undefined) return
      if (body._tag !== "Uint8Array" && body._tag !== "Empty") return
      const bytes = body._tag === "Empty" ? null : body.body
      answers.set(question, { status, fields: fieldList(headers), bytes }, access.and(validity))
    }

    /** Answers a request if it can, with those header fields beside its own; false leaves it to the platform. */
    const answer = (request: IncomingMessage, response: ServerResponse, limits: Fields): boolean => {
      const question = questionOf(request)
      const known = question === undefined ? undefined : answers.get(question, clock.unsafeCurrentTimeMillis())
      if (known === undefined) return false
      sendFields(request, response, known, limits)
      return true
    }

    return { allow, keep, answer } as const
  })
}) {}
