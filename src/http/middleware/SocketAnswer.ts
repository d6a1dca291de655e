import type { IncomingMessage, ServerResponse } from "node:http"
import { requestIdHeader, requestIdOf } from "./RequestId.ts"

/** Whether a request brings a body. */
export const hasBody = (headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0

/** Answers a request with a text before the platform sees it. */
export const answerAtSocket = (
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  text: string
): void => {
  response.writeHead(status, {
    ...headers,
    "content-length": String(Buffer.byteLength(text)),
    [requestIdHeader]: requestIdOf(request)
  })
  response.end(text)
}
