import type { HttpServerRequest } from "@effect/platform"
import type { IncomingMessage } from "node:http"
import type { RateStanding } from "../../domain/operations/TokenBucket.ts"
import { RequestNotes } from "../platform/RequestNotes.ts"

/** The header fields `RateLimit-*` of an answer; none where nothing limits the request. */
export type Fields = Readonly<Record<string, string>>

const fields = new RequestNotes<Fields>()

export const noFields: Fields = {}

/** Where a caller stands. */
export const fieldsOf = ({ limit, remaining, resetSeconds }: RateStanding): Fields => ({
  "ratelimit-limit": String(limit),
  "ratelimit-remaining": String(remaining),
  "ratelimit-reset": String(resetSeconds)
})

/** Notes the fields that the answer to a request will have. */
export const noteFields = (request: HttpServerRequest.HttpServerRequest | IncomingMessage, told: Fields): void => {
  if (told !== noFields) fields.set(request, told)
}

/** What was noted for a request. */
export const limitFieldsOf = (request: HttpServerRequest.HttpServerRequest | IncomingMessage): Fields =>
  fields.get(request) ?? noFields
