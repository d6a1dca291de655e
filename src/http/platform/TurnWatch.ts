import type { Turn } from "../../domain/operations/Shedding.ts"

/** Milliseconds beyond which a turn is long. */
const longTurn = 50

/** Measures the turns of the event loop in which requests come. A turn begins with its first request and ends when all are taken up. */
export class TurnWatch {
  private readonly now: () => number
  private beganAt: number | null = null
  private taken = 0
  private endedAt = -Infinity
  private longSince: number | null = null

  /** `now` tells the time in milliseconds. */
  constructor(now: () => number) {
    this.now = now
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
    if (this.beganAt === null || now - this.beganAt < longTurn) this.longSince = null
    else this.longSince ??= this.beganAt
    this.endedAt = now
    this.beganAt = null
  }
}
