import { nextTick } from "node:process"

/** Milliseconds of one turn of the event loop after which further requests wait for the next. */
const sliceMillis = 4

/** The same where connections come: each turn accepts one. */
const hurriedMillis = 1

/** Requests that have begun and are still in the list, at most: removing each by itself would move all others each time. */
const mostBegun = 1000

/**
 * Begins requests one after the other, as many as fit into a turn of the event loop; the others wait for the next turns, in which sockets are
 * read in between. Without it, everything that has arrived when a turn begins is begun in it: five hundred sockets that open at once, or
 * a thousand requests that one connection sends without waiting for answers, keep `/health` waiting until the last of them.
 */
export class TurnQueue {
  private readonly now: () => number
  private readonly waiting: Array<() => void> = []
  /** How many at the head of `waiting` have begun. */
  private begun = 0
  private turnBegan: number | null = null
  private isBusy = false
  private millis = sliceMillis
  private isHurried = false

  /** `now` tells the time in milliseconds. */
  constructor(now: () => number) {
    this.now = now
  }

  /** Requests that have come and not begun. */
  get length(): number {
    return this.waiting.length - this.begun
  }

  /** Begins the request in this turn if there is time, and none before it waits. */
  add(begin: () => void): void {
    if (this.turnBegan === null) {
      this.turnBegan = this.now()
      setImmediate(this.nextTurn)
    }
    if (!this.isBusy && this.length === 0 && this.hasTime()) this.run(begin)
    else this.waiting.push(begin)
  }

  /** Has fewer requests begin in this turn and the next: somebody waits for each turn. */
  hurry(): void {
    this.isHurried = true
    this.millis = hurriedMillis
  }

  private hasTime(): boolean {
    return this.turnBegan !== null && this.now() - this.turnBegan < this.millis
  }

  /** What a request does at once, it does before a tick that comes after all microtasks. */
  private run(begin: () => void): void {
    this.isBusy = true
    queueMicrotask(this.afterMicrotasks)
    begin()
  }

  private readonly afterMicrotasks = (): void => nextTick(this.goOn)

  private readonly goOn = (): void => {
    this.isBusy = false
    const next = this.waiting[this.begun]
    if (next === undefined || !this.hasTime()) return
    if (++this.begun === Math.min(this.waiting.length, mostBegun)) {
      this.waiting.splice(0, this.begun)
      this.begun = 0
    }
    this.run(next)
  }

  private readonly nextTurn = (): void => {
    this.millis = this.isHurried ? hurriedMillis : sliceMillis
    this.isHurried = false
    if (this.length === 0) {
      this.turnBegan = null
      return
    }
    this.turnBegan = this.now()
    setImmediate(this.nextTurn)
    if (!this.isBusy) this.goOn()
  }
}
