import type { HttpServerRequest } from "@effect/platform"
import { HttpServerResponse } from "@effect/platform"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { ServerResponse } from "node:http"
import type { Listener, Seat } from "../../services/game/Notices.ts"

/** Bytes that may wait for a slow reader; one that leaves more waiting is dropped, and comes back with the last id it has. */
export const patience = 64 * 1024

const seats = new WeakMap<object, Seat>()

/** Sends what happens to one reader. */
export const listener = (response: ServerResponse): Listener => {
  let isOver = false
  return {
    send: (bytes) => {
      if (isOver || response.destroyed) return
      response.write(bytes)
      if (response.writableLength > patience) response.destroy()
    },
    close: () => {
      isOver = true
      response.end()
    }
  }
}

/** The beginning of a stream. It goes on from there once the answer is on its way, where there is a socket to go on with. */
export const begin = (request: HttpServerRequest.HttpServerRequest, seat: Seat) => {
  seats.set(NodeHttpServerRequest.toIncomingMessage(request), seat)
  return HttpServerResponse.uint8Array(seat.opening(), {
    contentType: "text/event-stream",
    headers: { "cache-control": "no-store", "x-accel-buffering": "no" }
  })
}

/**
 * Takes the socket over from the platform, which then has nothing left to do for a request that may last for days: what waits
 * is a socket in a list, without a fiber.
 */
export const goOn = (
  request: HttpServerRequest.HttpServerRequest,
  { status, headers }: HttpServerResponse.HttpServerResponse
): void => {
  const seat = seats.get(NodeHttpServerRequest.toIncomingMessage(request))
  const response: unknown = seat === undefined ? undefined : NodeHttpServerRequest.toServerResponse(request)
  if (seat === undefined || !(response instanceof ServerResponse) || response.destroyed) return
  const { "content-length": _, ...lasting } = headers
  response.writeHead(status, lasting)
  response.once("close", seat.enter(listener(response)))
  // The platform asks this before it writes an answer.
  Object.defineProperty(response, "writableEnded", { value: true })
}
