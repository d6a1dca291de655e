import type { HttpServerRequest } from "@effect/platform"
import { HttpServerResponse } from "@effect/platform"
import type { ServerResponse } from "node:http"
import type { Listener, Seat } from "../../services/game/Notices.ts"
import { RequestNotes } from "./RequestNotes.ts"
import { takeSocket } from "./SocketTakeover.ts"

/** Bytes that may wait for a slow reader. One that leaves more waiting is disconnected, and reconnects with the last id it has. */
export const maxWaitingBytes = 64 * 1024

const seats = new RequestNotes<Seat>()

/** Sends what a listener hears to its socket. */
export const listenerOn = (response: ServerResponse): Listener => {
  let isOver = false
  return {
    send: (bytes) => {
      if (isOver || response.destroyed) return
      response.write(bytes)
      if (response.writableLength > maxWaitingBytes) response.destroy()
    },
    close: () => {
      isOver = true
      response.end()
    }
  }
}

/** The first answer of a stream. `continueStream` takes over from there; where there is no socket, this is all of it. */
export const beginStream = (request: HttpServerRequest.HttpServerRequest, seat: Seat) => {
  seats.set(request, seat)
  return HttpServerResponse.uint8Array(seat.opening(), {
    contentType: "text/event-stream",
    headers: { "cache-control": "no-store", "x-accel-buffering": "no" }
  })
}

/** Continues a stream that a handler began, on the socket itself: a listening game is a socket in a list, without a fiber. */
export const continueStream = (
  request: HttpServerRequest.HttpServerRequest,
  answer: HttpServerResponse.HttpServerResponse
): void => {
  const seat = seats.get(request)
  const response = seat === undefined ? undefined : takeSocket(request, answer)
  if (seat === undefined || response === undefined) return
  response.once("close", seat.enter(listenerOn(response)))
}
