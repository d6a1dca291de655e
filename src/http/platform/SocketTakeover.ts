import type { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { ServerResponse } from "node:http"

/**
 * Sends the head of an answer and takes its socket away from the platform: nothing else is written, and the platform's fiber ends,
 * which saves memory where thousands of answers last for days. Undefined where there is no open socket.
 *
 * The platform asks `writableEnded` before it writes an answer and when the socket closes, and offers no other way to say that an
 * answer is already under way. Node itself goes on by a private field.
 *
 * Read in @effect/platform-node 0.108.2 (`handleResponse` and `makeHandler` in internal/httpServer.ts).
 * Test: "a socket" in test/http/platform/PlatformTricks.test.ts.
 */
export const takeSocket = (
  request: HttpServerRequest.HttpServerRequest,
  { status, headers }: HttpServerResponse.HttpServerResponse
): ServerResponse | undefined => {
  const response: unknown = NodeHttpServerRequest.toServerResponse(request)
  if (!(response instanceof ServerResponse) || response.destroyed) return undefined
  const { "content-length": _, ...headersWithoutLength } = headers
  response.writeHead(status, headersWithoutLength)
  Object.defineProperty(response, "writableEnded", { value: true })
  return response
}
