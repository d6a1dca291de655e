import type { Server } from "node:http"
import { STATUS_CODES } from "node:http"

const statusCode = 429

const body = JSON.stringify({
  statusCode,
  code: "RATE_LIMITED",
  error: STATUS_CODES[statusCode],
  message: "Your address has too many connections open: close some, or use one for many requests"
})

const refusal = [
  `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}`,
  "content-type: application/json",
  `content-length: ${Buffer.byteLength(body)}`,
  "x-content-type-options: nosniff",
  "retry-after: 5",
  "connection: close",
  "",
  body
].join("\r\n")

/**
 * Refuses connections before anything of them is read. `admit` counts one of an address until the function that it returns is called, and
 * answers undefined where the address may have no further one.
 */
export const limitConnections = (server: Server, admit: (address: string) => (() => void) | undefined): void => {
  server.on("connection", (socket) => {
    const release = admit(socket.remoteAddress ?? "unknown")
    if (release !== undefined) return void socket.once("close", release)
    // Whoever has gone already makes it fail, which concerns nobody.
    socket.on("error", () => undefined)
    socket.end(refusal)
    socket.destroySoon()
  })
}
