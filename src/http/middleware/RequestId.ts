import type { HttpServerRequest } from "@effect/platform"
import { HttpServerResponse } from "@effect/platform"
import type { IncomingMessage, ServerResponse } from "node:http"
import { RequestNotes } from "../platform/RequestNotes.ts"

/** Names one request in its answer and in the log. */
export const requestIdHeader = "x-request-id"

/** What a proxy or a client may name a request by; anything else would spoil a line of the log. */
const wellFormed = /^[\w.:+/=@-]{1,128}$/

const ids = new RequestNotes<string>()

export const freshRequestId = (): string => crypto.randomUUID()

const idIn = (given: unknown): string =>
  typeof given === "string" && wellFormed.test(given) ? given : freshRequestId()

/** Names the request, by the name it came with if that is well formed, and has its answer say so. */
export const identify = (request: IncomingMessage, response: ServerResponse): void => {
  const id = idIn(request.headers[requestIdHeader])
  ids.set(request, id)
  response.setHeader(requestIdHeader, id)
}

export const requestIdOf = (request: HttpServerRequest.HttpServerRequest): string =>
  ids.get(request) ?? idIn(request.headers[requestIdHeader])

/** The answer with the request's name, where its socket does not say it already. */
export const withRequestId = (
  response: HttpServerResponse.HttpServerResponse,
  request: HttpServerRequest.HttpServerRequest,
  id: string
): HttpServerResponse.HttpServerResponse =>
  ids.get(request) !== undefined ? response : HttpServerResponse.setHeader(response, requestIdHeader, id)
