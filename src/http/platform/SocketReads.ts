import type { IncomingMessage } from "node:http"

type Socket = IncomingMessage["socket"]

/** Sockets whose end is seen in one turn of the event loop; the first of these turns also stops reading all others. */
const endedPerTurn = 32

/** Requests behind others of their connections that are read in one turn, but for those of the same packet. */
export const behindPerTurn = 200

/** Turns for others after which one of those that send so many requests is read, although others wait still. */
const turnsPerFlood = 8

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
 * again: in one those that have asked for something last, in the next those that wait for longest, so that nobody waits for as long as others go
 * on. Of those that send so many requests, one is read in a turn, after all others or now and then. As long as any of these wait, connections that
 * have come are accepted before they are read: Node accepts one in a turn, and who comes last would wait until all before have been read.
 */
export class SocketReads {
  /** Those that are read, from the one that has asked for nothing for longest. */
  private readonly open = new Set<Socket>()
  /** Those that are not read, because too much came together; in the same order. */
  private unread: Array<Socket> = []
  /** Those that are not read because they have brought too many requests themselves, from the one that waits for longest. */
  private readonly flooding: Array<Socket> = []
  /** Every other turn is for those that wait for longest. */
  private isForDue = false
  /** These, as long as they have not been read in it: too many requests of others do not keep them from it. */
  private readonly due = new Set<Socket>()
  /** The one of them that has been read last. */
  private lastDue: Socket | null = null
  private ended = 0
  private behind = 0
  private isCounting = false
  /** Whether too much has come in this turn. */
  private isTooMuch = false
  private hasConnected = false
  /** How many turns for others have come since one that floods was read. */
  private passing = 0
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
      if (++this.ended === endedPerTurn) this.stopReading()
    }
    // A client that sends nothing more has left, and so has one whose connection broke.
    socket.on("end", end).on("error", end).once("close", leave)
  }

  /** The socket has asked for something; `isBehind` says that it had asked for something else before, which is not answered. */
  touch(socket: Socket, isBehind: boolean): void {
    const isDue = this.due.delete(socket)
    if (isDue) this.lastDue = socket
    if (this.open.delete(socket) || isDue) this.open.add(socket)
    if (!isBehind) return
    this.count()
    if (++this.behind < behindPerTurn || socket.isPaused() || !this.open.delete(socket)) return
    this.behind = 0
    this.flooding.push(socket.pause())
    this.stopReading()
    if (socket === this.lastDue) this.putBack()
  }

  /** Leaves the others that are due for the next turn. */
  private putBack(): void {
    const others = [...this.due]
    this.due.clear()
    for (const socket of others) socket.pause()
    this.unread = others.concat(this.unread)
  }

  private count(): void {
    if (this.isCounting) return
    this.isCounting = true
    setImmediate(this.nextTurn)
  }

  private stopReading(): void {
    this.isTooMuch = true
    this.rest()
  }

  /** Lets all rest that are read. While many end, this is done in every turn, so it looks at none that is not read already. */
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
    this.lastDue = null
    for (const socket of this.due) if (!socket.destroyed) this.open.add(socket)
    this.due.clear()
    this.isForDue = !this.isForDue && this.unread.length > 0
    // As long as those that are read bring too much, they wait while those that wait for longest are read. Otherwise nobody waits again.
    if (this.isForDue && this.isTooMuch) this.rest()
    this.isTooMuch = false
    if (this.isForDue) this.readLongest()
    else this.readLatest()
    if (this.unread.length + this.flooding.length + this.due.size > 0) setImmediate(this.nextTurn)
    else this.isCounting = false
  }

  /** Reads those that wait for longest. */
  private readLongest(): void {
    for (const socket of this.unread.splice(0, endedPerTurn)) this.due.add(socket.resume())
  }

  /** Reads those that have asked last, or one that floods: where nobody else waits, or where it is its turn. */
  private readLatest(): void {
    this.passing = this.unread.length > 0 ? this.passing + 1 : turnsPerFlood
    const isForFlood = this.passing >= turnsPerFlood && this.flooding.length > 0
    if (isForFlood) this.passing = 0
    const some = isForFlood ? this.flooding.splice(0, 1) : this.unread.splice(-endedPerTurn)
    for (const socket of some) if (!socket.destroyed) this.open.add(socket)
    for (const socket of some.toReversed()) socket.resume()
  }
}
