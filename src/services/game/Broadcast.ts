import type { Listener } from "./Listener.ts"

/** Listeners that hear something in one turn of the event loop. */
export const heardPerTurn = 100

/** Messages that wait to be heard by everybody, at most. */
const mostWaiting = 32

interface Message {
  readonly bytes: Uint8Array
  /** Those who listened when it was sent. */
  readonly listeners: ReadonlyArray<Listener>
  heard: number
}

/** Sends messages to many listeners, some at a time. Each listener hears them in order. */
export class Broadcast {
  private readonly waiting: Array<Message> = []

  /** Has the message wait for `next`. Where too many wait, all are sent at once: whoever sends without pause has to wait for the listeners. */
  send(listeners: ReadonlyArray<Listener>, bytes: Uint8Array): void {
    this.waiting.push({ bytes, listeners, heard: 0 })
    if (this.waiting.length > mostWaiting) while (this.next());
  }

  /** Lets as many listeners hear something as may in one turn. Answers whether anything still waits. */
  next(): boolean {
    let left = heardPerTurn
    for (let message = this.waiting[0]; message !== undefined && left > 0; message = this.waiting[0]) {
      const some = message.listeners.slice(message.heard, message.heard + left)
      for (const listener of some) listener.send(message.bytes)
      message.heard += some.length
      left -= some.length
      if (message.heard === message.listeners.length) this.waiting.shift()
    }
    return this.waiting.length > 0
  }
}
