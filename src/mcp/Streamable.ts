import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"
import type { Way } from "./Asker.ts"
import { askerOf } from "./Asker.ts"
import { serverOf } from "./Server.ts"

/**
 * Answers one request of the protocol, or gives it up once the signal is aborted. Nothing is kept between two of them, so that any process may
 * answer the next.
 */
export const answered = (
  request: Request,
  message: unknown,
  way: Way,
  version: string,
  signal: AbortSignal
): Promise<Response> => {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  const server = serverOf(askerOf(way), version)
  signal.addEventListener("abort", () => void server.close())
  return server
    .connect(transport)
    .then(() => transport.handleRequest(request, { parsedBody: message }))
    .finally(() => void server.close())
}
