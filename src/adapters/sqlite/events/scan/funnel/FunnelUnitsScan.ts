import { listedFunnel, listedResults } from "../../../../../domain/analytics/funnel/Funnel.ts"
import type { FunnelPlan, FunnelUnit, FunnelUnitsPlan } from "../../../../../domain/analytics/funnel/FunnelPlan.ts"
import type { GroupedResult } from "../../../../../domain/analytics/funnel/FunnelResults.ts"
import { binOf, durationBetween } from "../../../../../domain/analytics/funnel/TimeToConvert.ts"
import { funnelRun } from "../../../../../domain/analytics/funnel/TrackFunnel.ts"
import { isPlainFunnel } from "../../../../../domain/analytics/funnel/UnitFunnel.ts"
import { whole } from "../../../../../domain/analytics/filter/Breakdown.ts"
import type { Snapshot } from "../../read/Snapshot.ts"
import { pageOfUnitNumbers } from "../../read/UnitPage.ts"
import type { FunnelLevels } from "./FunnelLevels.ts"
import { isStepwise, levelsOf, scanGrouped, stepSelections, unitRowsOf } from "./FunnelScan.ts"
import { funnelGroups, isInGroup } from "./GroupedFunnel.ts"

type Times = FunnelUnit["times"]

/** The units behind one number of a funnel, by their numbers. */
export interface ListedNumbers {
  /** By unit number, 1 for each of them. */
  readonly flags: Uint8Array
  readonly count: number
  /** Epoch ms of each step on the path of one of them; null for a step not on it. */
  timesOf(unit: number): Times
}

/** Whether a unit's time to convert is in the chosen bin of all times of the series. */
const isInBin = (
  { bin, funnel: { timeToConvert } }: FunnelUnitsPlan,
  levels: FunnelLevels,
  isChosen: (unit: number) => boolean
): ((unit: number) => boolean) => {
  if (bin === null || timeToConvert === undefined) return () => true
  const times = new Float64Array(levels.steps)
  const durationOf = (unit: number): number | null => {
    const reached = levels.reached[unit]!
    levels.timesOf(unit, times)
    return durationBetween(timeToConvert, (step) => (step < reached ? times[step] : null))
  }
  const durations: Array<number> = []
  for (let unit = 1; unit < levels.reached.length; unit++) {
    const duration = isChosen(unit) ? durationOf(unit) : null
    if (duration !== null) durations.push(duration)
  }
  const binAt = binOf(durations, timeToConvert)
  return (unit) => {
    const duration = durationOf(unit)
    return duration !== null && binAt(duration) === bin
  }
}

const listedStepwise = (plan: FunnelUnitsPlan, funnel: FunnelPlan, snapshot: Snapshot): ListedNumbers => {
  const { step, outcome, group } = plan
  const selections = stepSelections(funnel, snapshot)
  const levels = levelsOf(funnel, selections, snapshot)
  const { reached } = levels
  const isChosen =
    group === null || funnel.breakdowns.length === 0
      ? () => true
      : isInGroup(funnel, levels, funnelGroups(funnel, selections.flat(), snapshot), group)
  const isTimely = isInBin(plan, levels, isChosen)
  const flags = new Uint8Array(reached.length)
  let count = 0
  for (let unit = 1; unit < reached.length; unit++) {
    const stands = outcome === "converted" ? reached[unit]! > step : step > 0 && reached[unit] === step
    if (!stands || !isChosen(unit) || !isTimely(unit)) continue
    flags[unit] = 1
    count++
  }
  const times = new Float64Array(levels.steps)
  return {
    flags,
    count,
    timesOf: (unit) => {
      levels.timesOf(unit, times)
      return Array.from(times, (time, at) => (at < reached[unit]! ? time : null))
    }
  }
}

/** The results of a funnel without breakdowns, and without what tells markers apart. */
const plainResults = (funnel: FunnelPlan, snapshot: Snapshot): ReadonlyArray<GroupedResult> => {
  const run = funnelRun(funnel)
  const results: Array<GroupedResult> = []
  unitRowsOf(funnel, snapshot).each((unit, track) => {
    const { reached, markers } = run(track, -Infinity, Infinity)
    if (reached === 0) return
    const times = Array.from(markers, (at) => (at < 0 ? null : track.times[at]!))
    results.push({ group: whole.values, result: { unitId: String(unit), reached, times, buckets: new Map() } })
  }, snapshot.control)
  return results
}

const listedOthers = (plan: FunnelUnitsPlan, funnel: FunnelPlan, snapshot: Snapshot): ListedNumbers => {
  const results = isPlainFunnel(funnel)
    ? plainResults(funnel, snapshot)
    : scanGrouped(funnel, unitRowsOf(funnel, snapshot), snapshot)
  const flags = new Uint8Array(snapshot.environment.units)
  const times = new Map<number, Times>()
  for (const result of listedResults(plan, results)) {
    const unit = Number(result.unitId)
    flags[unit] = 1
    times.set(unit, result.times)
  }
  return {
    flags,
    count: times.size,
    timesOf: (unit) => {
      const own = times.get(unit) ?? []
      return funnel.steps.map((_, step) => own[step] ?? null)
    }
  }
}

/** The units behind one number of a funnel, those of all pages. */
export const funnelUnitNumbers = (plan: FunnelUnitsPlan, snapshot: Snapshot): ListedNumbers => {
  const funnel = listedFunnel(plan)
  return (isStepwise(funnel) ? listedStepwise : listedOthers)(plan, funnel, snapshot)
}

/** The units behind one number of a funnel. Equals the domain's pure function over the same markers. */
export const scanFunnelUnits = (plan: FunnelUnitsPlan, snapshot: Snapshot): ReadonlyArray<FunnelUnit> => {
  const { flags, count, timesOf } = funnelUnitNumbers(plan, snapshot)
  const page = pageOfUnitNumbers(flags, count, plan, snapshot.environment)
  return page.map(({ unit, name }) => ({ unitId: name, times: timesOf(unit) }))
}
