import type { HttpServerResponse } from "@effect/platform"
import { Option } from "effect"
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http"
import { gameHeaders } from "../middleware/CrossOrigin.ts"
import { limitFieldsOf } from "../middleware/LimitFields.ts"
import { requestIdHeader, requestIdOf } from "../middleware/RequestId.ts"

/** Whether nothing but JSON of at most `maxBytes` has to be read to answer, and no limit on headers can be broken. */
export const isPlain = (headers: IncomingHttpHeaders, maxBytes: number): boolean => {
  const length = Number(headers["content-length"])
  return (
    length > 0 &&
    length <= maxBytes &&
    headers["content-encoding"] === undefined &&
    /^application\/json\s*(;|$)/i.test(headers["content-type"] ?? "") &&
    String(headers["server-id"] ?? "").length <= 128 &&
    (headers["if-none-match"] ?? "").length <= 256
  )
}

export const parseJson = Option.liftThrowable((bytes: Buffer): unknown => JSON.parse(bytes.toString()))

/** Sends what a handler would have answered, with the headers that the platform's middleware adds for games. */
export const send = (
  request: IncomingMessage,
  response: ServerResponse,
  answer: HttpServerResponse.HttpServerResponse
): void => {
  const { status, headers, body } = answer
  const length =
    body._tag === "Uint8Array" ? { "content-length": body.body.length, "content-type": body.contentType } : {}
  // The constant part comes first: it is copied as a whole, and what follows field by field.
  response.writeHead(status, {
    ...gameHeaders,
    ...headers,
    ...length,
    ...limitFieldsOf(request),
    [requestIdHeader]: requestIdOf(request)
  })
  response.end(body._tag === "Uint8Array" ? body.body : undefined)
}
