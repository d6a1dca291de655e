import { type Dimension, type GroupValues, groupKey, groupOf } from "../filter/Breakdown.ts"
import { type StoredEvent, byTime } from "../markers/Event.ts"
import { unfiltered, filterTest } from "../filter/Filter.ts"
import { isDone } from "../filter/Memberships.ts"
import type { FunnelPlan } from "./FunnelPlan.ts"
import type { UnitResult } from "./FunnelResults.ts"
import { exclusionBits } from "./FunnelTrack.ts"
import { selectorTest } from "../filter/Selector.ts"
import { type GroupedTrack, noGroup, trackFunnel } from "./TrackFunnel.ts"

/** A marker with the steps and exclusions that it matches, as bits. */
export interface FunnelMarker {
  readonly event: StoredEvent
  readonly steps: number
  readonly exclusions: number
}

const bitsOf =
  <A>(tests: ReadonlyArray<readonly [test: (event: A) => boolean, bits: number]>) =>
  (event: A): number =>
    tests.reduce((bits, [test, own]) => (test(event) ? bits | own : bits), 0)

/**
 * Selects a unit's markers that matter to the funnel, in order. For a strict funnel these are all that pass its filter, but exposures only
 * where a step or an exclusion asks for them.
 */
export const funnelMarkers = (plan: FunnelPlan): ((events: Iterable<StoredEvent>) => ReadonlyArray<FunnelMarker>) => {
  const { range, order, filter } = plan
  const isSeen = filterTest(filter)
  const steps = bitsOf(plan.steps.map(({ selector }, i) => [selectorTest(selector, unfiltered), 1 << i] as const))
  const exclusions = bitsOf(
    plan.exclusions.map(
      ({ selector, fromStep, toStep }) => [selectorTest(selector, unfiltered), exclusionBits(fromStep, toStep)] as const
    )
  )
  return (events) => {
    const markers: Array<FunnelMarker> = []
    for (const event of events) {
      if (event.timestamp < range.from || event.timestamp >= range.to || !isSeen(event)) continue
      const marker = { event, steps: steps(event), exclusions: exclusions(event) }
      const isBetween = order === "strict" && isDone(event.type)
      if (isBetween || marker.steps !== 0 || marker.exclusions !== 0) markers.push(marker)
    }
    return markers.sort((a, b) => byTime(a.event, b.event))
  }
}

type Markers = ReadonlyArray<FunnelMarker>

/** The number of each marker's values of the dimensions, and the values by number; those of markers that have none of them are first. */
const numbered = (
  dimensions: ReadonlyArray<Dimension>,
  markers: Markers
): { readonly numbers: ReadonlyArray<number>; readonly values: ReadonlyArray<GroupValues> } => {
  const valuesOf = groupOf(dimensions)
  const missing = dimensions.map(() => null)
  const known = new Map([[groupKey(missing), noGroup]])
  const values: Array<GroupValues> = [missing]
  const numbers = markers.map(({ event }) => {
    const own = valuesOf(event)
    const key = groupKey(own)
    const number = known.get(key)
    if (number !== undefined) return number
    known.set(key, values.length)
    return values.push(own) - 1
  })
  return { numbers, values }
}

/** A unit's markers as a track, and the groups that its numbers stand for. */
export const trackOf = (
  { breakdowns, holdConstant }: FunnelPlan,
  markers: Markers
): { readonly track: GroupedTrack; readonly groups: ReadonlyArray<GroupValues> } => {
  const groups = numbered(breakdowns, markers)
  const held = numbered(holdConstant, markers)
  const track = {
    length: markers.length,
    times: Float64Array.from(markers, ({ event }) => event.timestamp),
    steps: Uint32Array.from(markers, ({ steps }) => steps),
    exclusions: Uint32Array.from(markers, ({ exclusions }) => exclusions),
    groups: groups.numbers,
    held: held.numbers.map((number) => (held.values[number]!.includes(null) ? -1 : number))
  }
  return { track, groups: groups.values }
}

/** Whether times and steps alone decide about the answer: it has no groups, no values held constant and no conversion over time. */
export const isPlainFunnel = ({ breakdowns, holdConstant, overTime }: FunnelPlan): boolean =>
  breakdowns.length === 0 && holdConstant.length === 0 && overTime === null

/**
 * Whether the order of receipt can change the answer. It cannot if each marker is one step and nothing else, because
 * markers of one instant then commute.
 */
export const dependsOnReceipt = (plan: FunnelPlan): boolean => {
  const types = plan.steps.flatMap(({ selector }) => selector.types)
  return (
    !isPlainFunnel(plan) || plan.order !== "ordered" || plan.exclusions.length > 0 || new Set(types).size < types.length
  )
}

/** Runs a unit's markers through the funnel. */
export const unitFunnel = (plan: FunnelPlan): ((unitId: string, markers: Markers) => UnitResult) => {
  const run = trackFunnel(plan)
  return (unitId, markers) => ({ unitId, ...run(trackOf(plan, markers).track) })
}
