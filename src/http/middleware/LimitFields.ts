import type { HttpServerRequest } from "@effect/platform"
import type { IncomingMessage } from "node:http"
import type { Standing } from "../../domain/operations/TokenBucket.ts"
import { RequestNotes } from "../platform/RequestNotes.ts"

type Fields = Readonly<Record<string, string>>

const fields = new RequestNotes<Fields>()

const nothing: Fields = {}

/** Notes where the caller of a request stands, in the header fields that its answer will have. */
export const noteStanding = (
  request: HttpServerRequest.HttpServerRequest | IncomingMessage,
  { limit, remaining, resetSeconds }: Standing
): Fields => {
  const told = {
    "ratelimit-limit": String(limit),
    "ratelimit-remaining": String(remaining),
    "ratelimit-reset": String(resetSeconds)
  }
  fields.set(request, told)
  return told
}

/** The header fields `RateLimit-*` of an answer; none where nothing limits the request. */
export const limitFieldsOf = (request: HttpServerRequest.HttpServerRequest | IncomingMessage): Fields =>
  fields.get(request) ?? nothing
