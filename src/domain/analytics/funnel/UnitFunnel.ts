import { groupKey, groupOf } from "../filter/Breakdown.ts"
import { type Buckets, bucketAt } from "../time/Buckets.ts"
import { type StoredEvent, byTime } from "../markers/Event.ts"
import { unfiltered, filterTest } from "../filter/Filter.ts"
import { isDone } from "../filter/Memberships.ts"
import type { FunnelPlan } from "./FunnelPlan.ts"
import { type UnitResult, better } from "./FunnelResults.ts"
import { type FunnelRun, type FunnelTrack, exclusionBits } from "./FunnelTrack.ts"
import { groupBy } from "../filter/Grouping.ts"
import { orderedFunnel } from "./OrderedFunnel.ts"
import { selectorTest } from "../filter/Selector.ts"
import { unorderedAttempts, unorderedFunnel } from "./UnorderedFunnel.ts"

/** A marker with the steps and exclusions that it matches, as bits. */
export interface FunnelMarker {
  readonly event: StoredEvent
  readonly steps: number
  readonly exclusions: number
}

/** A unit's result, with the marker of each step on its path. */
export interface UnitRun extends UnitResult {
  readonly path: ReadonlyArray<StoredEvent | null>
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

const trackOf = (markers: ReadonlyArray<FunnelMarker>): FunnelTrack => ({
  length: markers.length,
  times: markers.map(({ event }) => event.timestamp),
  steps: markers.map(({ steps }) => steps),
  exclusions: markers.map(({ exclusions }) => exclusions)
})

type Markers = ReadonlyArray<FunnelMarker>
type Attempts = (markers: Markers, buckets: Buckets, attempt: (bucket: number, reached: number) => void) => void

const orderedAttempts =
  (run: FunnelRun, window: number): Attempts =>
  (markers, { boundaries }, attempt) => {
    const starts = markers.filter(({ steps }) => (steps & 1) !== 0)
    let [first, end] = [0, 0]
    for (const bucket of new Set(starts.map(({ event }) => bucketAt(boundaries, event.timestamp)))) {
      const [from, to] = [boundaries[bucket]!, boundaries[bucket + 1]!]
      while (markers[first]!.event.timestamp < from) first++
      while (end < markers.length && markers[end]!.event.timestamp < to + window) end++
      attempt(bucket, run(trackOf(markers.slice(first, end)), from, to).reached)
    }
  }

const attemptsOf = (plan: FunnelPlan, run: FunnelRun): Attempts => {
  if (plan.order !== "unordered") return orderedAttempts(run, plan.window)
  const each = unorderedAttempts(plan.steps.length, plan.window)
  return (markers, { boundaries }, attempt) =>
    each(trackOf(markers), (start, reached) => attempt(bucketAt(boundaries, start), reached))
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

/** Runs tracks through the funnel, without what tells its markers apart: groups, and properties held constant. */
export const funnelRun = ({ steps, order, window }: FunnelPlan): FunnelRun => {
  if (order === "unordered") return unorderedFunnel(steps.length, window)
  const optional = steps.reduce((bits, step, i) => (step.optional ? bits | (1 << i) : bits), 0)
  return orderedFunnel({ steps: steps.length, optional, window, isStrict: order === "strict" })
}

/**
 * With properties held constant, the markers of each value form a funnel of their own; markers without a value are in
 * none.
 */
const partitions = (plan: FunnelPlan): ((markers: Markers) => ReadonlyArray<Markers>) => {
  if (plan.holdConstant.length === 0) return (markers) => [markers]
  const values = groupOf(plan.holdConstant)
  return (markers) => {
    const held = markers.filter(({ event }) => !values(event).includes(null))
    return [...groupBy(held, ({ event }) => groupKey(values(event))).values()]
  }
}

/** Runs a unit's markers, or those of one of its groups, through the funnel. */
export const unitFunnel = (plan: FunnelPlan): ((unitId: string, markers: Markers) => UnitRun) => {
  const run = funnelRun(plan)
  const attempts = attemptsOf(plan, run)
  const parts = partitions(plan)
  const runPart = (unitId: string, markers: Markers): UnitRun => {
    const { reached, markers: onPath } = run(trackOf(markers), -Infinity, Infinity)
    const path = Array.from(onPath, (index) => (index < 0 ? null : markers[index]!.event))
    const buckets = new Map<number, number>()
    if (plan.overTime !== null) {
      attempts(markers, plan.overTime, (bucket, steps) =>
        buckets.set(bucket, Math.max(steps, buckets.get(bucket) ?? 0))
      )
    }
    return { unitId, reached, times: path.map((event) => event?.timestamp ?? null), path, buckets }
  }
  return (unitId, markers) => {
    const [first = runPart(unitId, []), ...rest] = parts(markers).map((part) => runPart(unitId, part))
    return rest.reduce(better, first)
  }
}
