import type { IncomingMessage } from "node:http"

type Socket = IncomingMessage["socket"]

/** Sockets whose end is seen in one turn of the event loop; the first of these turns also stops reading all others. */
const endedPerTurn = 32

/**
 * Spreads over turns of the event loop the ends of sockets whose clients leave together, as when a network breaks or a game server stops:
 * Node takes some 50 µs to end a socket, a half of a body or an open stream more, and without this does so for all that have ended before a
 * turn, while `/health` and games wait. Once many have ended in a turn, no socket is read any more, which takes a thirtieth of that, and in
 * each turn that follows some are read again: first those that have asked for something last.
 */
export class SocketClosings {
  /** Those that are read, from the one that has asked for nothing for longest. */
  private readonly open = new Set<Socket>()
  /** Those that are not read, because too many ended together; in the same order. */
  private unread: Array<Socket> = []
  private ended = 0
  private isCounting = false

  /** Takes part as long as it is open. */
  readonly watch = (socket: Socket): void => {
    this.open.add(socket)
    const leave = () => this.open.delete(socket)
    const end = () => {
      leave()
      this.count()
    }
    // A client that sends nothing more has left, and so has one whose connection broke.
    socket.on("end", end).on("error", end).once("close", leave)
  }

  /** The socket has asked for something. */
  touch(socket: Socket): void {
    if (this.open.delete(socket)) this.open.add(socket)
  }

  private count(): void {
    if (!this.isCounting) {
      this.isCounting = true
      setImmediate(this.nextTurn)
    }
    if (++this.ended === endedPerTurn) this.rest()
  }

  /** Stops reading. While many end, this is done in every turn, so it looks at none that is not read already. */
  private rest(): void {
    for (const socket of this.open) {
      if (socket.isPaused()) continue
      socket.pause()
      this.open.delete(socket)
      this.unread.push(socket)
    }
  }

  private readonly nextTurn = (): void => {
    this.ended = 0
    const some = this.unread.splice(-endedPerTurn)
    for (const socket of some) if (!socket.destroyed) this.open.add(socket)
    for (const socket of some.toReversed()) socket.resume()
    if (this.unread.length > 0) setImmediate(this.nextTurn)
    else this.isCounting = false
  }
}
