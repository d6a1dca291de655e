import type { IncomingMessage, ServerResponse } from "node:http"
import { STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import { freshRequestId, requestIdHeader, requestIdOf } from "../http/middleware/RequestId.ts"

const refusals: ReadonlyMap<string | undefined, readonly [number, string, string]> = new Map([
  ["HPE_HEADER_OVERFLOW", [431, "HEADERS_TOO_LARGE", "The path and the headers are too long"]],
  ["HPE_CHUNK_EXTENSIONS_OVERFLOW", [413, "PAYLOAD_TOO_LARGE", "The chunk extensions are too long"]],
  ["ERR_HTTP_REQUEST_TIMEOUT", [408, "REQUEST_TIMEOUT", "The request took too long to arrive"]]
])

const malformed = [400, "MALFORMED_REQUEST", "The request could not be read"] as const

const bodyOf = (statusCode: number, code: string, message: string): string =>
  JSON.stringify({ statusCode, code, error: STATUS_CODES[statusCode], message })

const refuse = (
  request: IncomingMessage,
  response: ServerResponse,
  ...[statusCode, code, message]: readonly [number, string, string]
): void => {
  const body = bodyOf(statusCode, code, message)
  response.writeHead(statusCode, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "x-content-type-options": "nosniff",
    [requestIdHeader]: requestIdOf(request),
    connection: "close"
  })
  response.end(body)
}

/** Refuses an `Expect` that asks for anything but 100-continue. */
export const refuseExpectation = (request: IncomingMessage, response: ServerResponse): void => {
  refuse(request, response, 417, "EXPECTATION_FAILED", "The server meets no expectation but 100-continue")
}

/** Whether it names another host after the first: proxies and servers may each take another one of them for that which is meant. */
const namesHosts = ({ rawHeaders }: IncomingMessage): boolean => {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === "host") count++
  }
  return count > 1
}

/** Refuses, as HTTP/1.1 demands, a request that names no host or several; whether it did. */
export const refuseUnclearHost = (request: IncomingMessage, response: ServerResponse): boolean => {
  const isMissing = request.headers.host === undefined && request.httpVersion === "1.1"
  if (!isMissing && !namesHosts(request)) return false
  const flaw = isMissing ? "The request names no host" : "The request names more than one host"
  refuse(request, response, 400, "MALFORMED_REQUEST", flaw)
  return true
}

/** Refuses in the envelope what never became a request, and hangs up. Bytes after an answer may be in the middle of one: no other follows. */
export const refuseUnreadable = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  const isUnanswered = "bytesWritten" in socket && socket.bytesWritten === 0
  if (!socket.writable || !isUnanswered || error.code === "ECONNRESET") {
    socket.destroy()
    return
  }
  const [statusCode, code, message] = refusals.get(error.code) ?? malformed
  const reason = STATUS_CODES[statusCode]
  const body = bodyOf(statusCode, code, message)
  const head = [
    `HTTP/1.1 ${statusCode} ${reason}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    "x-content-type-options: nosniff",
    `${requestIdHeader}: ${freshRequestId()}`,
    "connection: close"
  ]
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`)
}
