import { HttpServerResponse } from "@effect/platform"
import { Option } from "effect"
import { isUtf8 } from "node:buffer"
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http"
import { gameHeaders } from "../middleware/CrossOrigin.ts"
import { type Fields, limitFieldsOf } from "../middleware/LimitFields.ts"
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

/** A character that no header can have. */
const absent = "\u0000"

/** A header as a part of what a request is known by: one that was not sent is told from every one that says something, be it `undefined`. */
export const sent = (header: string | ReadonlyArray<string> | undefined): string =>
  header === undefined ? absent : String(header)

const parse = Option.liftThrowable((text: string): unknown => JSON.parse(text))

/** The JSON of a body in UTF-8; none where it is another. */
export const parseJson = (bytes: Buffer): Option.Option<unknown> =>
  isUtf8(bytes) ? parse(bytes.toString()) : Option.none()

/** An answer that is written already. */
export interface PlainAnswer {
  readonly status: number
  /** The header fields beside those that every answer to a game has. */
  readonly headers: Readonly<Record<string, string>>
  /** Null for an answer without a body. */
  readonly json: Uint8Array | null
}

/** As the platform answers it. */
export const toResponse = ({ status, headers, json }: PlainAnswer): HttpServerResponse.HttpServerResponse =>
  json === null
    ? HttpServerResponse.empty({ status, headers })
    : HttpServerResponse.uint8Array(json, { status, contentType: "application/json", headers })

/** Header fields as names and values in turn: Node writes an object of as many at twice the cost. */
export type FieldList = ReadonlyArray<string>

export const fieldList = (headers: Readonly<Record<string, string>>): FieldList => {
  const fields: Array<string> = []
  for (const [name, value] of Object.entries(headers)) fields.push(name, value)
  return fields
}

/** Shorter bodies are sent as a text. */
const textBytes = 16_384

/** Every byte as the character of its number, so that Node writes head and body as one text: two buffers take a twentieth more of a request. */
const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1")

/** Sends an answer with these fields, those of limits, and the name of the request. */
export const sendFields = (
  request: IncomingMessage,
  response: ServerResponse,
  { status, fields, bytes }: { readonly status: number; readonly fields: FieldList; readonly bytes: Uint8Array | null },
  limits: Fields
): void => {
  response.writeHead(status, [...fields, ...fieldList(limits), requestIdHeader, requestIdOf(request)])
  if (bytes === null) response.end()
  else if (bytes.length < textBytes) response.end(textOf(bytes), "latin1")
  else response.end(bytes)
}

const everyField = fieldList(gameHeaders)

const bodyFields = (json: Uint8Array | null): FieldList =>
  json === null ? [] : ["content-length", String(json.length), "content-type", "application/json"]

/** Sends what a handler would have answered, with the headers that the platform's middleware adds for games. */
export const send = (
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, json }: PlainAnswer
): void => {
  const fields = [...everyField, ...fieldList(headers), ...bodyFields(json)]
  sendFields(request, response, { status, fields, bytes: json }, limitFieldsOf(request))
}
