import type { IncomingMessage, ServerResponse } from "node:http"
import { nextTick } from "node:process"

type Socket = IncomingMessage["socket"]

/**
 * Requests of a connection that may wait for the answers to those before them. Browsers send none like this, and programs that do some ten. Node keeps
 * some kilobytes of each, however many there are, so that who sends them behind a stream, which never ends, could fill the memory.
 */
export const mostWaiting = 1000

/**
 * Requests that one connection sends without waiting for answers. Node tells of every request that has arrived, and keeps the answers until it is their
 * turn: a thousand requests in one packet, from somebody who reads no answer, would have the memory of a thousand answers, and who asks and hangs up
 * would have all of it done for nobody.
 */
export class Pipelines {
  private readonly waiting = new WeakMap<Socket, number>()

  /** Whether the request has nobody to answer: its connection is closed, because more wait on it than may or for another reason. */
  isLost({ socket }: IncomingMessage, response: ServerResponse): boolean {
    if (response.socket !== null) return false
    if (socket.destroyed) return true
    const waiting = (this.waiting.get(socket) ?? 0) + 1
    if (waiting > mostWaiting) {
      socket.destroy()
      return true
    }
    this.waiting.set(socket, waiting)
    response.once("socket", () => this.waiting.set(socket, (this.waiting.get(socket) ?? 1) - 1))
    return false
  }

  /** Begins a request once its answer can be sent, because all that its connection has asked before are answered. */
  begin(response: ServerResponse, begin: () => void): void {
    if (response.socket !== null) begin()
    // Not at once: Node has yet to send what there is of the answer when it tells of the connection.
    else response.once("socket", () => nextTick(begin))
  }

  /** Tells an answer that waits for others of its connection when that closes: Node tells only the answer that it sends. */
  watch(request: IncomingMessage, response: ServerResponse): void {
    if (response.socket !== null) return
    request.once("close", () => {
      if (response.socket !== null || response.writableFinished || !request.socket.destroyed) return
      response.destroy()
      response.emit("close")
    })
  }
}
