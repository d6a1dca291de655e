import type { FunnelPath, FunnelRun, FunnelTrack } from "./FunnelTrack.ts"

/** Receives each attempt: the time of its first marker (epoch ms) and the number of distinct steps it reached. */
type Attempt = (start: number, reached: number) => void

/**
 * Unordered funnels. Markers wait in a queue, each for one step, and leave it when the window has passed. An attempt
 * counts when its first marker leaves, when all steps are done, or at the end; an exclusion before that discards it.
 */
class Queue implements FunnelPath {
  reached = 0
  readonly markers: Int32Array
  private readonly steps: number
  private readonly window: number
  private readonly waiting: Int32Array
  private readonly last: Float64Array
  private readonly queue: Array<number> = []
  private readonly queueStep: Array<number> = []
  private head = 0
  private tail = 0
  private distinct = 0

  constructor(steps: number, window: number) {
    this.steps = steps
    this.window = window
    this.markers = new Int32Array(steps)
    this.waiting = new Int32Array(steps)
    this.last = new Float64Array(steps)
  }

  /** The best attempt of a track. */
  best(track: FunnelTrack): FunnelPath {
    this.reached = 0
    this.markers.fill(-1)
    this.clear()
    for (let i = 0; i < track.length && this.reached < this.steps; i++) {
      while (this.isLate(track, i)) {
        this.keep()
        this.leave()
      }
      this.take(track, i)
      if (this.distinct === this.steps) this.keep()
    }
    this.keep()
    return this
  }

  /** Calls `attempt` for every attempt of a track. */
  each(track: FunnelTrack, attempt: Attempt): void {
    this.clear()
    const finish = (): void => {
      attempt(track.times[this.queue[this.head]!]!, this.distinct)
      this.leave()
    }
    for (let i = 0; i < track.length; i++) {
      while (this.isLate(track, i)) finish()
      this.take(track, i)
      while (this.distinct === this.steps) finish()
    }
    while (this.head < this.tail) finish()
  }

  private clear(): void {
    this.head = 0
    this.tail = 0
    this.distinct = 0
    this.waiting.fill(0)
  }

  private isLate(track: FunnelTrack, index: number): boolean {
    return this.head < this.tail && track.times[index]! - track.times[this.queue[this.head]!]! > this.window
  }

  private take(track: FunnelTrack, index: number): void {
    const matched = track.steps[index]!
    if (matched === 0) {
      if (track.exclusions[index]! !== 0) this.clear()
      return
    }
    const step = this.stalest(matched)
    if (this.waiting[step]!++ === 0) this.distinct++
    this.last[step] = track.times[index]!
    this.queue[this.tail] = index
    this.queueStep[this.tail++] = step
  }

  /**
   * Among the steps that a marker matches, the one waiting longest: a step without a marker first, then the one whose
   * last marker is oldest.
   */
  private stalest(matched: number): number {
    let best = -1
    let bestTime = Infinity
    for (let bits = matched; bits !== 0;) {
      const step = 31 - Math.clz32(bits & -bits)
      bits &= ~(1 << step)
      const time = this.waiting[step]! > 0 ? this.last[step]! : -Infinity
      if (best < 0 || time < bestTime) {
        best = step
        bestTime = time
      }
    }
    return best
  }

  private leave(): void {
    const step = this.queueStep[this.head++]!
    if (--this.waiting[step]! === 0) this.distinct--
  }

  private keep(): void {
    if (this.distinct <= this.reached) return
    this.reached = this.distinct
    let seen = 0
    for (let at = this.head, found = 0; found < this.distinct; at++) {
      const bit = 1 << this.queueStep[at]!
      if ((seen & bit) !== 0) continue
      seen |= bit
      this.markers[found++] = this.queue[at]!
    }
  }
}

/**
 * Runs an unordered funnel. Step i of the path is the marker that brought the attempt to i + 1 distinct steps; the
 * range of starts is ignored.
 */
export const unorderedFunnel = (steps: number, window: number): FunnelRun => {
  const queue = new Queue(steps, window)
  return (track) => queue.best(track)
}

/** Lists every attempt of a track. A marker may begin one attempt and take part in others. */
export const unorderedAttempts = (steps: number, window: number): ((track: FunnelTrack, attempt: Attempt) => void) => {
  const queue = new Queue(steps, window)
  return (track, attempt) => queue.each(track, attempt)
}
