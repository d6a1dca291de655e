import type { HttpServerRequest } from "@effect/platform"
import { HttpServerResponse } from "@effect/platform"
import type { ServerResponse } from "node:http"
import type { NewListener } from "../../services/game/Listener.ts"
import type { Seat } from "../../services/game/Notices.ts"
import { RequestNotes } from "./RequestNotes.ts"
import { takeSocket } from "./SocketTakeover.ts"

/** Bytes that may wait for a slow reader. One that leaves more waiting is disconnected, and reconnects with the last id it has. */
export const maxWaitingBytes = 64 * 1024

/** A seat, and what else counts its listener until the function that it returns is called. */
interface Taken {
  readonly seat: Seat
  readonly hold?: () => () => void
  /** Bytes that may wait for this reader; without it as many as for a game. */
  readonly waitingBytes?: number
}

const seats = new RequestNotes<Taken>()

/** Sends what a listener hears to its socket. What it missed does not count as waiting until that has been taken once. */
export const listenerOn = (response: ServerResponse, mostWaiting: number = maxWaitingBytes): NewListener => {
  let isOver = false
  let most = mostWaiting
  return {
    begin: (bytes) => {
      if (response.destroyed || response.write(bytes)) return
      most = mostWaiting + bytes.length
      response.once("drain", () => {
        most = mostWaiting
      })
    },
    send: (bytes) => {
      if (isOver || response.destroyed) return
      response.write(bytes)
      if (response.writableLength > most) response.destroy()
    },
    close: () => {
      isOver = true
      response.end()
    }
  }
}

/** The type of a stream. */
export const streamType = "text/event-stream"

/** The header fields of a stream beside its type. */
export const streamHeaders = { "cache-control": "no-store", "x-accel-buffering": "no" }

/**
 * The first answer of a stream. `continueStream` takes over from there; where there is no socket, this is all of it. Who asks for the fields
 * alone gets these and hears nothing.
 */
export const beginStream = (request: HttpServerRequest.HttpServerRequest, taken: Taken) => {
  if (request.method === "HEAD") {
    return HttpServerResponse.empty({ status: 200, headers: { ...streamHeaders, "content-type": streamType } })
  }
  seats.set(request, taken)
  return HttpServerResponse.uint8Array(taken.seat.opening(), {
    contentType: streamType,
    headers: streamHeaders
  })
}

/** Lets the listener behind a response hear, from the opening on, until its socket closes. */
export const follow = (response: ServerResponse, { seat, hold, waitingBytes }: Taken): void => {
  const [leave, release] = [seat.enter(listenerOn(response, waitingBytes)), hold?.()]
  response.once("close", () => {
    leave()
    release?.()
  })
}

/** Continues a stream that a handler began, on the socket itself: a listening game is a socket in a list, without a fiber. */
export const continueStream = (
  request: HttpServerRequest.HttpServerRequest,
  answer: HttpServerResponse.HttpServerResponse
): void => {
  const taken = seats.get(request)
  const response = taken === undefined ? undefined : takeSocket(request, answer)
  if (taken !== undefined && response !== undefined) follow(response, taken)
}
