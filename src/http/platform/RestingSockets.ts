import type { IncomingMessage } from "node:http"
import { Lanes } from "./Lanes.ts"

type Socket = IncomingMessage["socket"]

/** Sockets of those who ask again and again that are read in one turn of the event loop. */
const readPerTurn = 16

/**
 * Leaves unread for a while the sockets that ask again as soon as they are refused, but for some in each turn of the event loop. To refuse
 * costs little, yet a thousand of them would fill every turn, and whoever else waits (for `/health`, for games that are let in, or to
 * connect, since each turn accepts one connection) would wait for all of them. The first refusal after another answer lets a socket be read
 * on, and callers are read in turn, so that who has one socket does not rest as long as who has a thousand.
 */
export class RestingSockets {
  private readonly resting = new Lanes<Socket>()
  private readonly refused = new WeakSet<Socket>()
  /** How many may still be read in this turn. */
  private left = readPerTurn
  private isCounting = false

  /** How many are not read now. */
  get size(): number {
    return this.resting.length
  }

  /** A request of the caller was refused. Its socket rests once the request is read and answered, where the one before was refused as well. */
  refuse(request: IncomingMessage, caller: string): void {
    const { socket } = request
    if (this.refused.has(socket)) request.once("close", () => this.rest(socket, caller))
    else this.refused.add(socket)
  }

  /** A request was not refused. */
  take({ socket }: IncomingMessage): void {
    this.refused.delete(socket)
  }

  private rest(socket: Socket, caller: string): void {
    if (socket.destroyed || !socket.writable) return
    if (!this.isCounting) {
      this.isCounting = true
      setImmediate(this.nextTurn)
    }
    if (this.left > 0) {
      this.left--
      return
    }
    socket.pause()
    this.resting.add(caller, socket)
  }

  private readonly nextTurn = (): void => {
    this.left = readPerTurn
    if (this.resting.length === 0) {
      this.isCounting = false
      return
    }
    setImmediate(this.nextTurn)
    while (this.left > 0) {
      const socket = this.resting.take()
      if (socket === undefined) return
      if (socket.destroyed) continue
      this.left--
      socket.resume()
    }
  }
}
