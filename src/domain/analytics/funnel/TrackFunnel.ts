import { type Buckets, bucketAt } from "../time/Buckets.ts"
import type { FunnelPlan } from "./FunnelPlan.ts"
import { type Achieved, better } from "./FunnelResults.ts"
import type { FunnelRun, FunnelTrack } from "./FunnelTrack.ts"
import { orderedFunnel } from "./OrderedFunnel.ts"
import { unorderedAttempts, unorderedFunnel } from "./UnorderedFunnel.ts"

/** The number of the group of markers without a value of any dimension. */
export const noGroup = 0

/** One unit's markers as a funnel with a breakdown, or with properties held constant, sees them. */
export interface GroupedTrack extends FunnelTrack {
  readonly times: Float64Array
  readonly steps: Uint32Array
  readonly exclusions: Uint32Array
  /** The number of each marker's group. */
  readonly groups: ArrayLike<number>
  /** The number of the values that markers of one conversion share; -1 for a marker without one of them. */
  readonly held: ArrayLike<number>
}

/** What a unit, or one of its groups, achieved, with the place in the track of each step's marker, -1 for a step not on the path. */
export interface TrackResult extends Achieved {
  readonly path: ReadonlyArray<number>
}

/** A part of a track, and the place in the whole track of each of its markers; null for the same place. */
interface Part {
  readonly track: GroupedTrack
  readonly places: ReadonlyArray<number> | null
}

const picked = (track: GroupedTrack, places: ReadonlyArray<number>): GroupedTrack => ({
  length: places.length,
  times: Float64Array.from(places, (at) => track.times[at]!),
  steps: Uint32Array.from(places, (at) => track.steps[at]!),
  exclusions: Uint32Array.from(places, (at) => track.exclusions[at]!),
  groups: places.map((at) => track.groups[at]!),
  held: places.map((at) => track.held[at]!)
})

/** The places of a track by their numbers, in the order in which these first appear; -1 is left out. */
const placesBy = (numbers: ArrayLike<number>, length: number): Map<number, Array<number>> => {
  const found = new Map<number, Array<number>>()
  for (let at = 0; at < length; at++) {
    const number = numbers[at]!
    if (number === -1) continue
    const own = found.get(number)
    if (own === undefined) found.set(number, [at])
    else own.push(at)
  }
  return found
}

/** Runs tracks through the funnel, without what tells its markers apart: groups, and properties held constant. */
export const funnelRun = ({ steps, order, window }: FunnelPlan): FunnelRun => {
  if (order === "unordered") return unorderedFunnel(steps.length, window)
  const optional = steps.reduce((bits, step, i) => (step.optional ? bits | (1 << i) : bits), 0)
  return orderedFunnel({ steps: steps.length, optional, window, isStrict: order === "strict" })
}

type Attempts = (track: GroupedTrack, buckets: Buckets, attempt: (bucket: number, reached: number) => void) => void

/** An attempt for each bucket with a marker of the first step: the best from there, over the markers that it may reach. */
const orderedAttempts =
  (run: FunnelRun, window: number): Attempts =>
  (track, { boundaries }, attempt) => {
    const { length, times, steps, exclusions } = track
    let [first, end, last] = [0, 0, Number.NaN]
    for (let at = 0; at < length; at++) {
      if ((steps[at]! & 1) === 0) continue
      const bucket = bucketAt(boundaries, times[at]!)
      if (bucket === last) continue
      last = bucket
      const [from, to] = [boundaries[bucket]!, boundaries[bucket + 1]!]
      while (times[first]! < from) first++
      while (end < length && times[end]! < to + window) end++
      const own = {
        length: end - first,
        times: times.subarray(first, end),
        steps: steps.subarray(first, end),
        exclusions: exclusions.subarray(first, end)
      }
      attempt(bucket, run(own, from, to).reached)
    }
  }

const attemptsOf = (plan: FunnelPlan, run: FunnelRun): Attempts => {
  if (plan.order !== "unordered") return orderedAttempts(run, plan.window)
  const each = unorderedAttempts(plan.steps.length, plan.window)
  return (track, { boundaries }, attempt) =>
    each(track, (start, reached) => attempt(bucketAt(boundaries, start), reached))
}

const noBuckets: Achieved["buckets"] = new Map()

/** Runs the markers of a unit, or of one of its groups, through the funnel: the best of what the parts that share held values achieve. */
export const trackFunnel = (plan: FunnelPlan): ((track: GroupedTrack) => TrackResult) => {
  const run = funnelRun(plan)
  const attempts = attemptsOf(plan, run)
  const bucketsOf = (track: GroupedTrack): Achieved["buckets"] => {
    if (plan.overTime === null) return noBuckets
    const buckets = new Map<number, number>()
    attempts(track, plan.overTime, (bucket, steps) => buckets.set(bucket, Math.max(steps, buckets.get(bucket) ?? 0)))
    return buckets
  }
  const runPart = ({ track, places }: Part): TrackResult => {
    const { reached, markers } = run(track, -Infinity, Infinity)
    const times: Array<number | null> = []
    const path: Array<number> = []
    for (let step = 0; step < markers.length; step++) {
      const at = markers[step]!
      times.push(at < 0 ? null : track.times[at]!)
      path.push(at < 0 || places === null ? at : places[at]!)
    }
    return { reached, times, path, buckets: bucketsOf(track) }
  }
  if (plan.holdConstant.length === 0) return (track) => runPart({ track, places: null })
  return (track) => {
    const parts = [...placesBy(track.held, track.length).values()]
    const [first, ...rest] = (parts.length === 0 ? [[]] : parts).map((places) =>
      runPart(places.length === track.length ? { track, places: null } : { track: picked(track, places), places })
    )
    return rest.reduce(better, first!)
  }
}

/** What a unit achieved in the group with this number. */
export interface NumberedResult {
  readonly group: number
  readonly result: Achieved
}

/** Finds the groups that a unit is in, with the unit's result in each (specification, breakdown attribution). */
export const groupedTracks = (plan: FunnelPlan): ((track: GroupedTrack) => ReadonlyArray<NumberedResult>) => {
  const { attribution, breakdowns } = plan
  const run = trackFunnel(plan)
  if (breakdowns.length === 0) return (track) => [{ group: noGroup, result: run(track) }]
  switch (attribution.type) {
    case "all":
      return (track) =>
        Array.from(placesBy(track.groups, track.length), ([group, places]) => ({
          group,
          result: run(places.length === track.length ? track : picked(track, places))
        }))
    case "step":
      return (track) => {
        const result = run(track)
        const at = result.path[attribution.step] ?? -1
        return at < 0 ? [] : [{ group: track.groups[at]!, result }]
      }
    case "first":
      return (track) => {
        let at = 0
        while (at < track.length && (track.steps[at] === 0 || track.groups[at] === noGroup)) at++
        return [{ group: at < track.length ? track.groups[at]! : noGroup, result: run(track) }]
      }
    case "last":
      return (track) => {
        let at = track.length - 1
        while (at >= 0 && (track.steps[at] === 0 || track.groups[at] === noGroup)) at--
        return [{ group: at >= 0 ? track.groups[at]! : noGroup, result: run(track) }]
      }
  }
}
