/** One unit's markers as a funnel sees them, in order of (timestamp, receipt). Parallel arrays, of which the first `length` entries count. */
export interface FunnelTrack {
  readonly length: number
  /** Epoch milliseconds. */
  readonly times: ArrayLike<number>
  /** Bit i: the marker matches step i. */
  readonly steps: ArrayLike<number>
  /** Bit k - 1: the marker excludes attempts that stand at exactly k steps. Any bit clears an unordered funnel. */
  readonly exclusions: ArrayLike<number>
}

export interface FunnelShape {
  /** 2..32. */
  readonly steps: number
  /** Bit i: step i is optional. */
  readonly optional: number
  /** Milliseconds, inclusive. */
  readonly window: number
  readonly isStrict: boolean
}

/** The best attempt of a unit: for each step the index of its marker in the track, -1 off the path. */
export interface FunnelPath {
  /** Number of the furthest step, from 1; 0 when the unit counts at no step. */
  readonly reached: number
  readonly markers: ArrayLike<number>
}

/** Runs one track from starts in [from, to). The path is overwritten by the next run. */
export type FunnelRun = (track: FunnelTrack, from: number, to: number) => FunnelPath

/** Bits of the exclusion of steps fromStep..toStep, as `FunnelTrack.exclusions` wants them. */
export const exclusionBits = (fromStep: number, toStep: number): number => {
  let bits = 0
  for (let matched = fromStep + 1; matched <= toStep; matched++) bits |= 1 << (matched - 1)
  return bits
}
