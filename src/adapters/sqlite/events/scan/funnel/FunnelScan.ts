import { whole } from "../../../../../domain/analytics/filter/Breakdown.ts"
import type { TimeSpan } from "../../../../../domain/analytics/time/Buckets.ts"
import {
  type Achieved,
  type GroupedResult,
  funnelAnswer,
  type UnitResult
} from "../../../../../domain/analytics/funnel/FunnelResults.ts"
import type { FunnelAnswer, FunnelPlan } from "../../../../../domain/analytics/funnel/FunnelPlan.ts"
import { exclusionBits } from "../../../../../domain/analytics/funnel/FunnelTrack.ts"
import { dependsOnReceipt, isPlainFunnel } from "../../../../../domain/analytics/funnel/UnitFunnel.ts"
import { funnelRun, groupedTracks, trackFunnel } from "../../../../../domain/analytics/funnel/TrackFunnel.ts"
import { FunnelLevels } from "./FunnelLevels.ts"
import { FunnelTally } from "./FunnelTally.ts"
import { funnelGroups, groupedFunnelAnswer, isGroupOfUnit } from "./GroupedFunnel.ts"
import { GroupedTracks } from "../../read/GroupedTracks.ts"
import type { Selection } from "../../read/Selection.ts"
import type { Snapshot } from "../../read/Snapshot.ts"
import type { RowMark } from "../../read/MarkedRows.ts"
import { UnitRows } from "../../read/UnitRows.ts"

/**
 * The rows that matter to a funnel, with a bit for each step and, apart from these, a bit for each exclusion that they
 * match.
 */
export const funnelMarks = (plan: FunnelPlan, snapshot: Snapshot, range: TimeSpan): Array<RowMark> => {
  const marks: Array<RowMark> = []
  snapshot.control.selections(plan.steps.length + plan.exclusions.length + (plan.order === "strict" ? 1 : 0))
  for (const [step, { selector }] of plan.steps.entries())
    for (const selection of snapshot.selectBy(selector, plan.filter, range))
      marks.push({ selection, bits: 1 << step, others: 0 })
  for (const { selector, fromStep, toStep } of plan.exclusions)
    for (const selection of snapshot.selectBy(selector, plan.filter, range))
      marks.push({ selection, bits: 0, others: exclusionBits(fromStep, toStep) })
  if (plan.order === "strict")
    for (const selection of snapshot.selectDone(plan.filter, range)) marks.push({ selection, bits: 0, others: 0 })
  return marks
}

export const unitRowsOf = (plan: FunnelPlan, snapshot: Snapshot): UnitRows => {
  const marks = funnelMarks(plan, snapshot, plan.range)
  return new UnitRows(marks, snapshot.environment.units, { sequences: dependsOnReceipt(plan) }, snapshot.memory)
}

const scanPlain = (plan: FunnelPlan, rows: UnitRows, { control }: Snapshot): FunnelAnswer => {
  const run = funnelRun(plan)
  const tally = new FunnelTally(plan)
  rows.each((_, track) => {
    const path = run(track, -Infinity, Infinity)
    if (path.reached > 0) tally.add(track.times, path.markers)
  }, control)
  return { series: [{ group: whole, ...tally.answer() }] }
}

/** Where all units are one group, each is added up at once: results that were kept until the last one would be millions of objects. */
const scanAchieved = (plan: FunnelPlan, rows: UnitRows, snapshot: Snapshot): FunnelAnswer => {
  const run = trackFunnel(plan)
  const tracks = new GroupedTracks(rows, [], plan.holdConstant, snapshot)
  const tally = new FunnelTally(plan)
  rows.each((_, track) => tally.addAchieved(run(tracks.of(track))), snapshot.control, tracks.numberings)
  return { series: [{ group: whole, ...tally.answer() }] }
}

const noBuckets: UnitResult["buckets"] = new Map()

/**
 * The times up to the step that was reached: V8 keeps numbers alone in a third of the memory of numbers among nulls, and a copy without the room
 * that a growing list has for more.
 */
const reachedTimes = ({ reached, times }: Achieved): UnitResult["times"] => {
  const kept: Array<number | null> = []
  for (let step = 0; step < reached; step++) kept.push(times[step] ?? null)
  return kept.slice()
}

/** The part of a result that answers need. The markers of a unit's path take most of its memory, and would be kept until the last unit. */
const withoutPath = (unitId: string, result: Achieved): UnitResult => ({
  unitId,
  reached: result.reached,
  times: reachedTimes(result),
  buckets: result.buckets.size === 0 ? noBuckets : result.buckets
})

/** What each unit achieved in each of its groups; units are told by their numbers. */
export const scanGrouped = (plan: FunnelPlan, rows: UnitRows, snapshot: Snapshot): ReadonlyArray<GroupedResult> => {
  const run = groupedTracks(plan)
  const tracks = new GroupedTracks(rows, plan.breakdowns, plan.holdConstant, snapshot)
  const results: Array<GroupedResult> = []
  rows.each(
    (unit, track) => {
      const unitId = String(unit)
      for (const { group, result } of run(tracks.of(track)))
        if (result.reached > 0 || result.buckets.size > 0)
          results.push({ group: tracks.valuesOf(group), result: withoutPath(unitId, result) })
    },
    snapshot.control,
    tracks.numberings
  )
  return results
}

/**
 * Whether each marker is one step, no step may be left out, and each unit is in one group: then the steps can be matched one after the other.
 */
export const isStepwise = (plan: FunnelPlan): boolean =>
  !dependsOnReceipt({ ...plan, breakdowns: [] }) &&
  plan.steps.every(({ optional }) => !optional) &&
  (plan.breakdowns.length === 0 || isGroupOfUnit(plan))

export const stepSelections = (
  { steps, filter, range }: FunnelPlan,
  snapshot: Snapshot
): ReadonlyArray<Array<Selection>> => {
  snapshot.control.selections(steps.length)
  return steps.map(({ selector }) => snapshot.selectBy(selector, filter, range))
}

export const levelsOf = (
  { window }: FunnelPlan,
  selections: ReadonlyArray<Array<Selection>>,
  { environment, control }: Snapshot
): FunnelLevels => new FunnelLevels(selections, window, environment.units, control)

const scanLevels = (plan: FunnelPlan, snapshot: Snapshot): FunnelLevels =>
  levelsOf(plan, stepSelections(plan, snapshot), snapshot)

const scanStepwise = (plan: FunnelPlan, snapshot: Snapshot): FunnelAnswer => {
  const tally = new FunnelTally(plan)
  scanLevels(plan, snapshot).each((_, reached, times) => tally.addReached(reached, times))
  return { series: [{ group: whole, ...tally.answer() }] }
}

const scanStepwiseGroups = (plan: FunnelPlan, snapshot: Snapshot): FunnelAnswer => {
  const selections = stepSelections(plan, snapshot)
  const grouping = funnelGroups(plan, selections.flat(), snapshot)
  return groupedFunnelAnswer(plan, levelsOf(plan, selections, snapshot), grouping)
}

/** Answers a funnel by scanning columns. Equals the domain's pure function over the same markers. */
export const scanFunnel = (plan: FunnelPlan, snapshot: Snapshot): FunnelAnswer => {
  if (isStepwise(plan))
    return plan.breakdowns.length === 0 ? scanStepwise(plan, snapshot) : scanStepwiseGroups(plan, snapshot)
  const rows = unitRowsOf(plan, snapshot)
  if (isPlainFunnel(plan)) return scanPlain(plan, rows, snapshot)
  if (plan.breakdowns.length === 0) return scanAchieved(plan, rows, snapshot)
  return funnelAnswer(plan, scanGrouped(plan, rows, snapshot))
}
