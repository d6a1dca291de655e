/**
 * One unit's markers as a funnel sees them, ordered by (timestamp, receipt). Parallel arrays, of which the first
 * `length` entries are valid.
 */
export interface FunnelTrack {
  readonly length: number
  /** Epoch ms. */
  readonly times: ArrayLike<number>
  /** Bit i: the marker matches step i. */
  readonly steps: ArrayLike<number>
  /**
   * Bit k - 1: the marker discards attempts that stand at exactly k steps. In an unordered funnel any bit discards all
   * attempts.
   */
  readonly exclusions: ArrayLike<number>
}

export interface FunnelShape {
  /** 2 to 32. */
  readonly steps: number
  /** Bit i: step i is optional. */
  readonly optional: number
  /** Milliseconds, inclusive. */
  readonly window: number
  readonly isStrict: boolean
}

/** A unit's best attempt: for each step, the index of its marker in the track, -1 if the step is not on the path. */
export interface FunnelPath {
  /** The furthest step, from 1; 0 when the unit did not enter. */
  readonly reached: number
  readonly markers: ArrayLike<number>
}

/** Runs one track, with attempts that start in [from, to) (epoch ms). The next run overwrites the returned path. */
export type FunnelRun = (track: FunnelTrack, from: number, to: number) => FunnelPath

/** The bits of `FunnelTrack.exclusions` for an exclusion between fromStep and toStep. */
export const exclusionBits = (fromStep: number, toStep: number): number => {
  let bits = 0
  for (let matched = fromStep + 1; matched <= toStep; matched++) bits |= 1 << (matched - 1)
  return bits
}
