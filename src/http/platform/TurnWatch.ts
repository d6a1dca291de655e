/** Milliseconds beyond which a turn is long. */
const longTurn = 50

/** Measures the turns of the event loop in which requests come. A turn begins with its first request and ends when all are taken up. */
export class TurnWatch {
  private readonly now: () => number
  private beganAt: number | null = null
  private endedAt = -Infinity
  private longSince: number | null = null

  /** `now` tells the time in milliseconds. */
  constructor(now: () => number) {
    this.now = now
  }

  /** Milliseconds since this turn began; a turn that has not begun begins now. */
  age(now: number): number {
    if (this.beganAt !== null) return Math.max(0, now - this.beganAt)
    // The server had nothing to do in between.
    if (now - this.endedAt > longTurn) this.longSince = null
    this.beganAt = now
    setImmediate(this.end)
    return 0
  }

  /** Milliseconds for which every turn has been long. */
  longFor(now: number): number {
    return this.longSince === null ? 0 : now - this.longSince
  }

  private readonly end = (): void => {
    const now = this.now()
    if (this.beganAt === null || now - this.beganAt < longTurn) this.longSince = null
    else this.longSince ??= this.beganAt
    this.endedAt = now
    this.beganAt = null
  }
}
