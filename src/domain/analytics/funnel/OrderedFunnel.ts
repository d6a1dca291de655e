import type { FunnelPath, FunnelRun, FunnelShape, FunnelTrack } from "./FunnelTrack.ts"

/**
 * Ordered and strict funnels. Attempt k is the latest start from which the first k steps have been matched. Its path is
 * a linked list that attempts share, so that a match costs the same for any number of steps. Memory grows with the
 * matches of one unit.
 */
class Attempts implements FunnelPath {
  reached = 0
  readonly markers: Int32Array
  private readonly shape: FunnelShape
  private readonly starts: Float64Array
  private readonly paths: Int32Array
  /** Bit k - 1: attempt k exists. */
  private live = 0
  /** Bit k - 1: attempt k is excluded. */
  private excluded = 0
  private best = 0
  private bestPath = -1
  private bestStart = 0
  private isBestExcluded = false
  private readonly matchMarker: Array<number> = []
  private readonly matchStep: Array<number> = []
  private readonly matchBefore: Array<number> = []
  private matches = 0

  constructor(shape: FunnelShape) {
    this.shape = shape
    this.markers = new Int32Array(shape.steps)
    this.starts = new Float64Array(shape.steps + 1)
    this.paths = new Int32Array(shape.steps + 1)
  }

  run(track: FunnelTrack, from: number, to: number): FunnelPath {
    this.reset()
    const { times } = track
    for (let first = 0, next: number; first < track.length; first = next) {
      const time = times[first]!
      next = first + 1
      while (next < track.length && time === times[next]!) next++
      const steps = from <= time && time < to ? -1 : -2
      this.starts[0] = time
      if (isUniform(track, first, next)) {
        for (let i = first; i < next; i++) this.marker(i, time, track.steps[i]! & steps, track.exclusions[i]!)
      } else this.instant(track, first, next, steps)
      if (this.isLive(this.shape.steps)) break
    }
    return this.finish()
  }

  private reset(): void {
    this.live = 0
    this.excluded = 0
    this.best = 0
    this.bestPath = -1
    this.isBestExcluded = false
    this.matches = 0
    this.paths[0] = -1
  }

  private isLive(attempt: number): boolean {
    return attempt === 0 || (this.live & (1 << (attempt - 1))) !== 0
  }

  private isOpen(attempt: number, time: number): boolean {
    return this.isLive(attempt) && time - this.starts[attempt]! <= this.shape.window
  }

  /** The attempt that a match of `step` at `time` extends, skipping unmatched optional steps; -1 if there is none. */
  private extended(step: number, time: number): number {
    let attempt = step
    while (attempt > 0 && !this.isOpen(attempt, time) && (this.shape.optional & (1 << (attempt - 1))) !== 0) attempt--
    return this.isOpen(attempt, time) ? attempt : -1
  }

  private isReached(step: number, attempt: number): boolean {
    const start = this.starts[attempt]!
    return this.isLive(step + 1) && start === this.starts[step + 1]!
  }

  private marker(index: number, time: number, steps: number, exclusions: number): void {
    for (let bits = exclusions; bits !== 0;) {
      const bit = 31 - Math.clz32(bits)
      bits &= ~(1 << bit)
      this.exclude(bit + 1, time)
    }
    for (let bits = steps; bits !== 0;) {
      const step = 31 - Math.clz32(bits)
      bits &= ~(1 << step)
      this.match(step, index, time, -1)
    }
    if (this.shape.isStrict) this.live &= steps
  }

  /**
   * Markers of one instant with different matches: any order of them may convert, each serves at most one step, and
   * exclusions among them have no effect.
   */
  private instant(track: FunnelTrack, first: number, next: number, allowed: number): void {
    let all = 0
    for (let i = first; i < next; i++) all |= track.steps[i]! & allowed
    for (let step = 0; step < this.shape.steps; step++) {
      if ((all & (1 << step)) === 0) continue
      for (let i = first; i < next; i++) {
        if ((track.steps[i]! & (1 << step)) !== 0) this.match(step, i, this.starts[0]!, first)
      }
    }
  }

  private exclude(matched: number, time: number): void {
    const attempt = this.extended(matched, time)
    if (attempt < 1 || this.isReached(matched, attempt)) return
    const bit = 1 << (attempt - 1)
    if ((this.excluded & bit) !== 0) return
    this.excluded |= bit
    if (this.best === attempt && time - this.bestStart <= this.shape.window) this.isBestExcluded = true
  }

  private match(step: number, index: number, time: number, sharedFrom: number): void {
    const attempt = this.extended(step, time)
    if (attempt < 0 || this.isReached(step, attempt)) return
    if (sharedFrom >= 0 && this.isUsed(this.paths[attempt]!, index, sharedFrom)) return
    const isExcluded = attempt > 0 && (this.excluded & (1 << (attempt - 1))) !== 0
    const reached = step + 1
    const isBetter = reached > this.best || (reached === this.best && this.isBestExcluded)
    if (isExcluded && !isBetter) return
    const start = this.starts[attempt]!
    const path = this.append(index, step, this.paths[attempt]!)
    if (!isExcluded) {
      this.starts[reached] = start
      this.paths[reached] = path
      this.live |= 1 << step
      this.excluded &= ~(1 << step)
    }
    if (isBetter) {
      this.best = reached
      this.bestPath = path
      this.bestStart = start
      this.isBestExcluded = isExcluded
    }
  }

  private append(marker: number, step: number, before: number): number {
    const at = this.matches++
    this.matchMarker[at] = marker
    this.matchStep[at] = step
    this.matchBefore[at] = before
    return at
  }

  private isUsed(path: number, marker: number, first: number): boolean {
    for (let at = path; at >= 0; at = this.matchBefore[at]!) {
      const used = this.matchMarker[at]!
      if (used === marker) return true
      if (used < first) return false
    }
    return false
  }

  private finish(): FunnelPath {
    this.reached = this.isBestExcluded ? 0 : this.best
    this.markers.fill(-1)
    if (this.isBestExcluded) return this
    for (let at = this.bestPath; at >= 0; at = this.matchBefore[at]!)
      this.markers[this.matchStep[at]!] = this.matchMarker[at]!
    return this
  }
}

const isUniform = (track: FunnelTrack, first: number, next: number): boolean => {
  for (let i = first + 1; i < next; i++) {
    if (track.steps[i]! !== track.steps[first]! || track.exclusions[i]! !== track.exclusions[first]!) return false
  }
  return true
}

/** Returns the runner of an ordered or strict funnel; see `FunnelRun`. */
export const orderedFunnel = (shape: FunnelShape): FunnelRun => {
  const attempts = new Attempts(shape)
  return (track, from, to) => attempts.run(track, from, to)
}
