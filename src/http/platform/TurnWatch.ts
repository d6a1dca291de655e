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
  private taken = 0
  private endedAt = -Infinity
  private longSince: number | null = null

  private readonly isWaiting: () => boolean

  /** `now` tells the time in milliseconds, `isWaiting` whether requests have come that are not taken up. */
  constructor(now: () => number, isWaiting: () => boolean) {
    this.now = now
    this.isWaiting = isWaiting
  }

  /** The turn in which a request comes, which begins now unless it has begun. */
  take(now: number): Turn {
    if (this.beganAt === null) {
      // The server had nothing to do in between.
      if (now - this.endedAt > longTurn) this.longSince = null
      this.beganAt = now
      this.taken = 0
      setImmediate(this.end)
    }
    const longFor = this.longSince === null ? 0 : now - this.longSince
    return { age: Math.max(0, now - this.beganAt), taken: this.taken++, longFor }
  }

  private readonly end = (): void => {
    const now = this.now()
    if (this.beganAt !== null && now - this.beganAt >= longTurn) this.longSince ??= this.beganAt
    else if (!this.isWaiting()) this.longSince = null
    if (this.isWaiting()) return void setImmediate(this.end)
    this.endedAt = now
    this.beganAt = null
  }
}
