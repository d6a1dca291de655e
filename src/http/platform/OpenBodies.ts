import type { IncomingMessage } from "node:http"
import { routeOf } from "../middleware/Routes.ts"
import { leaveBody } from "./Body.ts"

/** Largest body, in bytes, of a caller who shows no credential. */
export const maxOpenBody = 16 * 1024

const isPlain = ({ "content-encoding": encoding }: IncomingMessage["headers"]): boolean =>
  encoding === undefined || encoding === "identity"

/** Whether the platform reads the body as JSON, for anybody, and has no reason to refuse it unread. */
const isAwaited = ({ method = "GET", url = "/", headers }: IncomingMessage): boolean => {
  const length = Number(headers["content-length"] ?? 0)
  if (length > maxOpenBody || (length === 0 && headers["transfer-encoding"] === undefined)) return false
  const route = isPlain(headers) ? routeOf({ method, url }) : undefined
  return route !== undefined && route.isOpen && route.hasPayload && !route.rawBody
}

/**
 * Reads a body that anybody may send before anything else is done for its request, and then calls `begin`. Who sends a part of it and no more
 * costs a socket: no fiber waits for the rest, which is many times the work and the memory, and none has to be ended where many such senders
 * leave together. A body that goes on beyond the limit is handed on as far as it came, and is refused for its length. False where the body is
 * left to the platform.
 */
export const awaitOpenBody = (request: IncomingMessage, begin: () => void): boolean => {
  if (!isAwaited(request)) return false
  const chunks: Array<Buffer> = []
  let size = 0
  const handOn = () => {
    request.off("data", onData).off("end", handOn).resume()
    leaveBody(request, chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))
    begin()
  }
  const onData = (chunk: Buffer) => {
    size += chunk.length
    chunks.push(chunk)
    if (size > maxOpenBody) handOn()
  }
  request.on("data", onData).on("end", handOn)
  return true
}
