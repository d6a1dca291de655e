import type { FunnelTrack } from "./FunnelTrack.ts"

/**
 * The markers of one instant, each of which is given to one step at most. A step that finds all of its markers given may have one if the
 * step that has it finds another (augmenting paths: Kuhn 1955), so that no step goes without because of the order in which they ask.
 */
export class InstantMarkers {
  private readonly steps: ArrayLike<number>
  private readonly first: number
  private readonly next: number
  private readonly all: number
  private readonly stepOf = new Map<number, number>()
  private readonly markerOf = new Map<number, number>()
  /** Bit i: step i looks for a marker, or has looked for another one in vain. */
  private asked = 0
  /** Bit i: step i may lose its marker without finding another. */
  private left = 0

  /** The markers from `first` up to `next`; bit i of `steps` says that one matches step i, bit i of `all` that any may have step i. */
  constructor(steps: ArrayLike<number>, first: number, next: number, all: number) {
    this.steps = steps
    this.first = first
    this.next = next
    this.all = all
  }

  /** Gives the step a marker; false if none is left for it. */
  give(step: number): boolean {
    return this.take(step, 0)
  }

  /** Gives the step a marker that a step of `spare` (its bits) had, which then goes without: the last that helps. */
  giveUp(step: number, spare: number): boolean {
    for (let bits = spare; bits !== 0;) {
      const bit = 1 << (31 - Math.clz32(bits))
      if (this.take(step, bit)) return true
      bits &= ~bit
    }
    return false
  }

  private take(step: number, left: number): boolean {
    this.asked = 1 << step
    this.left = left
    return (this.all & (1 << step)) !== 0 && this.find(step)
  }

  /** The marker that the step has, -1 for none. */
  of(step: number): number {
    return this.markerOf.get(step) ?? -1
  }

  private find(step: number): boolean {
    for (let marker = this.first; marker < this.next; marker++)
      if (this.matches(marker, step) && !this.stepOf.has(marker)) return this.assign(step, marker)
    for (const [marker, owner] of this.stepOf) {
      if (!this.matches(marker, step) || (this.asked & (1 << owner)) !== 0) continue
      this.asked |= 1 << owner
      if (this.leave(owner) || this.find(owner)) return this.assign(step, marker)
    }
    return false
  }

  private leave(step: number): boolean {
    return (this.left & (1 << step)) !== 0 && this.markerOf.delete(step)
  }

  private matches(marker: number, step: number): boolean {
    return (this.steps[marker]! & (1 << step)) !== 0
  }

  private assign(step: number, marker: number): true {
    this.stepOf.set(marker, step)
    this.markerOf.set(step, marker)
    return true
  }
}

/** Whether an exclusion lies between the steps for every number of matched ones from `least`, at least one, to `most`. */
export const areAllExcluded = (exclusions: number, least: number, most: number): boolean => {
  for (let matched = least; matched <= most; matched++)
    if (matched === 0 || (exclusions & (1 << (matched - 1))) === 0) return false
  return true
}

/** Whether the markers from `first` up to `next` all match the same steps and exclusions. */
export const isUniform = (track: FunnelTrack, first: number, next: number): boolean => {
  for (let i = first + 1; i < next; i++) {
    if (track.steps[i]! !== track.steps[first]! || track.exclusions[i]! !== track.exclusions[first]!) return false
  }
  return true
}

/** Whether markers of one instant are alike, each a step and an exclusion at once: it excludes between two steps, and on neither of them. */
export const isExcludedStep = (track: FunnelTrack, first: number, next: number): boolean =>
  track.steps[first] !== 0 && track.exclusions[first] !== 0 && isUniform(track, first, next)
