import { InstantMarkers, areAllExcluded, isExcludedStep, isUniform } from "./InstantMarkers.ts"
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
  /** What was before the markers of an instant. */
  private readonly startsBefore: Float64Array
  private readonly pathsBefore: Int32Array
  private liveBefore = 0
  /** Bit k - 1: attempt k comes of a marker of the current instant with others; `stoodAt` says at how many steps it stood before. */
  private moved = 0
  private readonly stoodAt: Int32Array
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
    this.startsBefore = new Float64Array(shape.steps + 1)
    this.pathsBefore = new Int32Array(shape.steps + 1)
    this.stoodAt = new Int32Array(shape.steps + 1)
  }

  run(track: FunnelTrack, from: number, to: number): FunnelPath {
    this.reset()
    for (let first = 0, next: number; first < track.length; first = next) {
      const time = track.times[first]!
      next = first + 1
      while (next < track.length && time === track.times[next]!) next++
      const steps = from <= time && time < to ? -1 : -2
      this.starts[0] = time
      this.moved = 0
      const isBoth = isExcludedStep(track, first, next)
      if (isBoth || !isUniform(track, first, next)) this.instant(track, first, next, steps)
      else for (let i = first; i < next; i++) this.marker(track, i, steps)
      if (isBoth && this.shape.isStrict) this.live &= track.steps[first]!
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

  /** Takes a marker on its own. One of the first step that begins no attempt here ends none that stands at that step either. */
  private marker({ times, steps, exclusions }: FunnelTrack, index: number, allowed: number): void {
    const time = times[index]!
    for (let bits = exclusions[index]!; bits !== 0;) {
      const bit = 31 - Math.clz32(bits)
      bits &= ~(1 << bit)
      this.exclude(bit + 1, time)
    }
    for (let bits = steps[index]! & allowed; bits !== 0;) {
      const step = 31 - Math.clz32(bits)
      bits &= ~(1 << step)
      this.match(step, index, time)
    }
    if (this.shape.isStrict) this.live &= steps[index]!
  }

  /**
   * Markers of one instant: any order of them may convert, and each serves at most one step. Every attempt is taken as far as these markers go,
   * the one that begins here first and the oldest last, so that of those that come equally far the latest stays.
   */
  private instant(track: FunnelTrack, first: number, next: number, allowed: number): void {
    let all = 0
    for (let i = first; i < next; i++) all |= track.steps[i]! & allowed
    if (all !== 0) this.takeAll(track, first, next, all)
    for (let i = first; i < next; i++) if (track.exclusions[i]! !== 0) this.excludeBetween(track.exclusions[i]!)
  }

  private takeAll(track: FunnelTrack, first: number, next: number, all: number): void {
    this.startsBefore.set(this.starts)
    this.pathsBefore.set(this.paths)
    this.liveBefore = this.live
    const { excluded } = this
    for (let base = 0; base < this.shape.steps; base++) {
      if (!this.stoodOpen(base)) continue
      const isExcluded = base > 0 && (excluded & (1 << (base - 1))) !== 0
      this.takeOn(base, isExcluded, new InstantMarkers(track.steps, first, next, all))
    }
  }

  /** Whether an attempt stood at so many steps before this instant, and is in its window. */
  private stoodOpen(reached: number): boolean {
    if (reached > 0 && (this.liveBefore & (1 << (reached - 1))) === 0) return false
    return this.starts[0]! - this.startsBefore[reached]! <= this.shape.window
  }

  /** Extends the attempt that stood at `base` steps before this instant by as many of its markers as it can. */
  private takeOn(base: number, isExcluded: boolean, markers: InstantMarkers): void {
    const start = this.startsBefore[base]!
    for (let step = base; step < this.shape.steps; step++) {
      if ((this.liveBefore & (1 << step)) !== 0 && start === this.startsBefore[step + 1]!) return
      if (!markers.give(step) && !this.giveUp(step, base, markers)) {
        if (!this.maySkip(step)) return
        continue
      }
      if (this.isLive(step + 1) && start < this.starts[step + 1]!) continue
      let path = this.pathsBefore[base]!
      for (let own = base; own <= step; own++) {
        const marker = markers.of(own)
        if (marker >= 0) path = this.append(marker, own, path)
      }
      this.stand(step + 1, start, path, isExcluded)
      if (isExcluded) return
      this.moved |= 1 << step
      this.stoodAt[step + 1] = base
    }
  }

  /** Whether a step may be left out: it is optional, and no attempt that has matched it can be extended instead. */
  private maySkip(step: number): boolean {
    return (this.shape.optional & (1 << step)) !== 0 && !this.isOpen(step + 1, this.starts[0]!)
  }

  /**
   * Gives a mandatory step the marker that an optional one before it took at this instant. Not of an optional step that an attempt from before
   * has matched: that attempt is taken on by itself.
   */
  private giveUp(step: number, base: number, markers: InstantMarkers): boolean {
    const { optional } = this.shape
    if ((optional & (1 << step)) !== 0) return false
    let spare = 0
    for (let before = base; before < step; before++)
      if ((optional & (1 << before)) !== 0 && !this.stoodOpen(before + 1)) spare |= 1 << before
    return markers.giveUp(step, spare)
  }

  /** An exclusion of an instant with others is strictly between two steps where the attempt stood between them before it and after it. */
  private excludeBetween(exclusions: number): void {
    for (let attempt = this.shape.steps - 1; attempt > 0; attempt--) {
      const bit = 1 << (attempt - 1)
      if ((exclusions & bit) === 0) continue
      if ((this.moved & bit) === 0) this.exclude(attempt, this.starts[0]!)
      else if (areAllExcluded(exclusions, this.stoodAt[attempt]!, attempt)) {
        this.excluded |= bit
        if (this.bestPath === this.paths[attempt]!) this.isBestExcluded = true
      }
    }
  }

  private exclude(matched: number, time: number): void {
    const attempt = this.extended(matched, time)
    if (attempt < 1 || this.isReached(matched, attempt) || (this.moved & (1 << (attempt - 1))) !== 0) return
    const bit = 1 << (attempt - 1)
    if ((this.excluded & bit) !== 0) return
    this.excluded |= bit
    if (this.best === attempt && time - this.bestStart <= this.shape.window) this.isBestExcluded = true
  }

  private match(step: number, index: number, time: number): void {
    const attempt = this.extended(step, time)
    if (attempt < 0 || this.isReached(step, attempt)) return
    const isExcluded = attempt > 0 && (this.excluded & (1 << (attempt - 1))) !== 0
    if (isExcluded && !this.isBetter(step + 1)) return
    this.stand(step + 1, this.starts[attempt]!, this.append(index, step, this.paths[attempt]!), isExcluded)
  }

  private isBetter(reached: number): boolean {
    return reached > this.best || (reached === this.best && this.isBestExcluded)
  }

  /** An attempt has reached so many steps. An excluded one goes no further. */
  private stand(reached: number, start: number, path: number, isExcluded: boolean): void {
    if (!isExcluded) {
      const bit = 1 << (reached - 1)
      this.starts[reached] = start
      this.paths[reached] = path
      this.live |= bit
      this.excluded &= ~bit
    }
    if (!this.isBetter(reached)) return
    this.best = reached
    this.bestPath = path
    this.bestStart = start
    this.isBestExcluded = isExcluded
  }

  private append(marker: number, step: number, before: number): number {
    const at = this.matches++
    this.matchMarker[at] = marker
    this.matchStep[at] = step
    this.matchBefore[at] = before
    return at
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

/** Returns the runner of an ordered or strict funnel; see `FunnelRun`. */
export const orderedFunnel = (shape: FunnelShape): FunnelRun => {
  const attempts = new Attempts(shape)
  return (track, from, to) => attempts.run(track, from, to)
}
