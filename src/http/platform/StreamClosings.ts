import type { IncomingMessage } from "node:http"

type Socket = IncomingMessage["socket"]

/** Streams whose end is seen in one turn of the event loop. */
const endedPerTurn = 64

/**
 * Spreads over turns of the event loop the ends of streams whose clients leave together, as when a network breaks or a game server stops:
 * Node takes some 60 µs to end a socket, and without this does so for all that have ended before a turn, while `/health` and games wait.
 * Once many have ended in a turn, no stream is read any more, and in each turn that follows some are read again. Nothing waits for
 * that: nobody who listens to a stream sends anything.
 */
export class StreamClosings {
  private readonly open = new Set<Socket>()
  /** Those that are not read, because too many ended together. */
  private unread: Array<Socket> = []
  private ended = 0
  private isCounting = false

  /** Takes part until the socket has closed. */
  watch(socket: Socket): void {
    this.open.add(socket)
    // Whoever says that he sends nothing more has left, and one whose connection broke as well.
    socket.once("end", this.count)
    socket.once("error", this.count)
    socket.once("close", () => this.open.delete(socket))
  }

  private readonly count = (): void => {
    if (!this.isCounting) {
      this.isCounting = true
      setImmediate(this.nextTurn)
    }
    if (++this.ended === endedPerTurn) this.rest()
  }

  private rest(): void {
    for (const socket of this.open) {
      if (socket.destroyed || socket.readableEnded || socket.isPaused()) continue
      socket.pause()
      this.unread.push(socket)
    }
  }

  private readonly nextTurn = (): void => {
    this.ended = 0
    for (const socket of this.unread.splice(0, endedPerTurn)) socket.resume()
    if (this.unread.length > 0) setImmediate(this.nextTurn)
    else this.isCounting = false
  }
}
