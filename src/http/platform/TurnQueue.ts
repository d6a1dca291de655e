import { nextTick } from "node:process"
import { Lanes } from "./Lanes.ts"

/** Milliseconds of one turn of the event loop after which further requests wait for the next. */
const sliceMillis = 2

/** Vital requests of one turn of the event loop that begin at once: a machine or two asks whether the server lives, not hundreds. */
const vitalPerTurn = 4

/** Turns in which connections come before one in which requests begin again. */
const mostAccepting = 16

/**
 * Begins requests, as many as fit into a turn of the event loop; the others wait for the next turns, in which sockets are read in between.
 * Without it, everything that has arrived when a turn begins is begun in it: five hundred sockets that open at once, or a thousand requests
 * that one connection sends without waiting for answers, keep `/health` waiting until the last of them. Callers take turns: who has sent
 * one request does not wait for all of who has sent a thousand.
 */
export class TurnQueue {
  private readonly now: () => number
  private readonly waiting = new Lanes<() => void>()
  private turnBegan: number | null = null
  private isBusy = false
  private hasConnected = false
  /** Vital requests that have begun in this turn. */
  private vital = 0
  /** How many turns one after the other have had connections, and have begun nothing. */
  private accepting = 0

  /** `now` tells the time in milliseconds. */
  constructor(now: () => number) {
    this.now = now
  }

  /** Requests that have come and not begun. */
  get length(): number {
    return this.waiting.length
  }

  /** Begins the caller's request in this turn if there is time, and none before it waits. */
  add(caller: string, begin: () => void): void {
    this.beginTurn()
    if (!this.isBusy && this.length === 0 && this.hasTime()) this.run(begin)
    else this.waiting.add(caller, begin)
  }

  /** Begins a request at once that nothing may hold up, unless many of them come in one turn: then the others wait as any do. */
  addVital(caller: string, begin: () => void): void {
    this.beginTurn()
    if (this.vital++ < vitalPerTurn) begin()
    else this.add(caller, begin)
  }

  /** A connection has come. Node accepts one in each turn, and others may wait for it: turns in which some come are short. */
  connect(): void {
    this.hasConnected = true
    this.beginTurn()
  }

  private beginTurn(): void {
    if (this.turnBegan !== null) return
    this.turnBegan = this.now()
    setImmediate(this.nextTurn)
  }

  private hasTime(): boolean {
    return this.accepting === 0 && this.turnBegan !== null && this.now() - this.turnBegan < sliceMillis
  }

  /** Begins a request. What it does at once is done when all microtasks are, which `afterMicrotasks` waits for. */
  private run(begin: () => void): void {
    this.isBusy = true
    queueMicrotask(this.afterMicrotasks)
    begin()
  }

  private readonly afterMicrotasks = (): void => nextTick(this.goOn)

  private readonly goOn = (): void => {
    this.isBusy = false
    const next = this.hasTime() ? this.waiting.take() : undefined
    if (next !== undefined) this.run(next)
  }

  private readonly nextTurn = (): void => {
    this.accepting = this.hasConnected && this.accepting < mostAccepting ? this.accepting + 1 : 0
    this.hasConnected = false
    this.vital = 0
    if (this.length === 0 && this.accepting === 0) {
      this.turnBegan = null
      return
    }
    this.turnBegan = this.now()
    setImmediate(this.nextTurn)
    if (!this.isBusy) this.goOn()
  }
}
