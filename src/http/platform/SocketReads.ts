import type { IncomingMessage } from "node:http"

type Socket = IncomingMessage["socket"]

/** Sockets whose end is seen in one turn of the event loop; the first of these turns also stops reading all others. */
const endedPerTurn = 32

/** Requests behind others of their connections that are read in one turn, but for those of the same packet. */
export const behindPerTurn = 200

/** Turns in which connections come and nothing is read, before one in which something is. */
const mostAccepting = 64

/**
 * Spreads over turns of the event loop what many sockets bring at once, because Node does all of it before `/health` and games are read again:
 *
 * - The ends of sockets whose clients leave together, as when a network breaks or a game server stops. Node takes some 50 µs to end a socket, a
 *   half of a body or an open stream more.
 * - Requests that clients send without waiting for answers. Node takes some 25 µs to tell of one, and there are a thousand in a packet.
 *
 * Once many have come in a turn, no socket is read any more, which takes some 2 µs for each, and in each turn that follows some are read
 * again: first those that have asked for something last, and one in a turn, after all others, of those that send so many requests. As long as any
 * of these wait, connections that have come are accepted before they are read: Node accepts one in a turn, and who comes last would wait until all
 * before have been read.
 */
export class SocketReads {
  /** Those that are read, from the one that has asked for nothing for longest. */
  private readonly open = new Set<Socket>()
  /** Those that are not read, because too much came together; in the same order. */
  private unread: Array<Socket> = []
  /** Those that are not read because they have brought too many requests themselves, from the one that waits for longest. */
  private readonly flooding: Array<Socket> = []
  private ended = 0
  private behind = 0
  private isCounting = false
  private hasConnected = false
  /** How many turns one after the other have had connections, and have read nothing. */
  private accepting = 0

  /** Takes part as long as it is open. */
  readonly watch = (socket: Socket): void => {
    this.open.add(socket)
    this.hasConnected = true
    const leave = () => this.open.delete(socket)
    const end = () => {
      leave()
      this.count()
      if (++this.ended === endedPerTurn) this.rest()
    }
    // A client that sends nothing more has left, and so has one whose connection broke.
    socket.on("end", end).on("error", end).once("close", leave)
  }

  /** The socket has asked for something; `isBehind` says that it had asked for something else before, which is not answered. */
  touch(socket: Socket, isBehind: boolean): void {
    if (this.open.delete(socket)) this.open.add(socket)
    if (!isBehind) return
    this.count()
    if (++this.behind < behindPerTurn || socket.isPaused() || !this.open.delete(socket)) return
    this.behind = 0
    this.flooding.push(socket.pause())
    this.rest()
  }

  private count(): void {
    if (this.isCounting) return
    this.isCounting = true
    setImmediate(this.nextTurn)
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
    this.behind = 0
    this.accepting =
      this.hasConnected && this.flooding.length > 0 && this.accepting < mostAccepting ? this.accepting + 1 : 0
    this.hasConnected = false
    if (this.accepting > 0) {
      this.rest()
      setImmediate(this.nextTurn)
      return
    }
    const some = this.unread.length > 0 ? this.unread.splice(-endedPerTurn) : this.flooding.splice(0, 1)
    for (const socket of some) if (!socket.destroyed) this.open.add(socket)
    for (const socket of some.toReversed()) socket.resume()
    if (this.unread.length + this.flooding.length > 0) setImmediate(this.nextTurn)
    else this.isCounting = false
  }
}
