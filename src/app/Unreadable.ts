import { STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"

const refusals: ReadonlyMap<string | undefined, readonly [number, string, string]> = new Map([
  ["HPE_HEADER_OVERFLOW", [431, "HEADERS_TOO_LARGE", "The path and the headers are too long"]],
  ["HPE_CHUNK_EXTENSIONS_OVERFLOW", [413, "PAYLOAD_TOO_LARGE", "The chunk extensions are too long"]],
  ["ERR_HTTP_REQUEST_TIMEOUT", [408, "REQUEST_TIMEOUT", "The request took too long to arrive"]]
])

const malformed = [400, "MALFORMED_REQUEST", "The request could not be read"] as const

/** Refuses in the envelope what never became a request, and hangs up. Bytes after an answer may be in the middle of one: no other follows. */
export const refuseUnreadable = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  const isUnanswered = "bytesWritten" in socket && socket.bytesWritten === 0
  if (!socket.writable || !isUnanswered || error.code === "ECONNRESET") {
    socket.destroy()
    return
  }
  const [statusCode, code, message] = refusals.get(error.code) ?? malformed
  const reason = STATUS_CODES[statusCode]
  const body = JSON.stringify({ statusCode, code, error: reason, message })
  const head = [
    `HTTP/1.1 ${statusCode} ${reason}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    "x-content-type-options: nosniff",
    "connection: close"
  ]
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`)
}
