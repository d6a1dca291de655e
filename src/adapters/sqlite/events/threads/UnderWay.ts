/** Counts what is under way in each environment, for those who have to wait until nothing is. */
export class UnderWay {
  private readonly counts = new Map<number, number>()
  private readonly waiting = new Map<number, Array<() => void>>()

  begin(environmentId: number): void {
    this.counts.set(environmentId, (this.counts.get(environmentId) ?? 0) + 1)
  }

  end(environmentId: number): void {
    const left = (this.counts.get(environmentId) ?? 0) - 1
    if (left > 0) return void this.counts.set(environmentId, left)
    this.counts.delete(environmentId)
    const waiting = this.waiting.get(environmentId) ?? []
    this.waiting.delete(environmentId)
    for (const done of waiting) done()
  }

  /** Calls `done` once nothing is under way, at once where nothing is. */
  whenNothing(environmentId: number, done: () => void): void {
    if (!this.counts.has(environmentId)) return done()
    this.waiting.set(environmentId, [...(this.waiting.get(environmentId) ?? []), done])
  }
}
