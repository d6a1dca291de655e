import type { IncomingMessage, ServerResponse } from "node:http"
import { nextTick } from "node:process"

/**
 * Begins a request once its answer can be sent, because all that its connection has asked before are answered. Node tells of every request that
 * has arrived, and keeps the answers until it is their turn: a thousand requests in one packet, from somebody who reads no answer, would have
 * the memory of a thousand answers, and who asks and hangs up would have all of it done for nobody.
 */
export const onceDue = (response: ServerResponse, begin: () => void): void => {
  if (response.socket !== null) begin()
  // Not at once: Node has yet to send what there is of the answer when it tells of the connection.
  else response.once("socket", () => nextTick(begin))
}

/** Tells an answer that waits for others of its connection when that closes: Node tells only the answer that it sends. */
export const closeWithConnection = (request: IncomingMessage, response: ServerResponse): void => {
  if (response.socket !== null) return
  request.once("close", () => {
    if (response.socket !== null || response.writableFinished || !request.socket.destroyed) return
    response.destroy()
    response.emit("close")
  })
}
