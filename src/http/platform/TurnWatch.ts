import type { Turn } from "../../domain/operations/Shedding.ts"

/** Milliseconds beyond which a turn is long. */
const longTurn = 50

/**
 * Measures the turns of the event loop in which requests come. A turn begins with its first request and ends when all are taken up, which
 * takes more than one where some wait.
 */
export class TurnWatch {
  private readonly now: () => number
  private beganAt: number | null = null
  private endedAt = -Infinity
  private longSince: number | null = null

  private readonly waiting: () => number

  /** `now` tells the time in milliseconds, `waiting` how many requests have come that are not taken up. */
  constructor(now: () => number, waiting: () => number) {
    this.now = now
    this.waiting = waiting
  }

  /** The turn in which a request comes, which begins now unless it has begun. */
  take(now: number): Turn {
    if (this.beganAt === null) {
      // The server had nothing to do in between.
      if (now - this.endedAt > longTurn) this.longSince = null
      this.beganAt = now
      setImmediate(this.end)
    }
    const longFor = this.longSince === null ? 0 : now - this.longSince
    return { age: Math.max(0, now - this.beganAt), waiting: this.waiting(), longFor }
  }

  private readonly end = (): void => {
    const now = this.now()
    if (this.beganAt !== null && now - this.beganAt >= longTurn) this.longSince ??= this.beganAt
    else if (this.waiting() === 0) this.longSince = null
    if (this.waiting() > 0) return void setImmediate(this.end)
    this.endedAt = now
    this.beganAt = null
  }
}
