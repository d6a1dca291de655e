import type { StoredEvent } from "../markers/Event.ts"
import { groupKey } from "../filter/Breakdown.ts"
import { groupTest } from "../filter/ChosenGroup.ts"
import { groupedFunnel } from "./FunnelGroups.ts"
import type { FunnelAnswer, FunnelPlan, FunnelUnit, FunnelUnitsPlan } from "./FunnelPlan.ts"
import { type GroupedResult, type UnitResult, funnelAnswer, merged, shownGroups, standsAt } from "./FunnelResults.ts"
import { groupBy } from "../filter/Grouping.ts"
import { pageOfIds } from "../question/UnitList.ts"
import { binOf, durationBetween } from "./TimeToConvert.ts"
import { funnelMarkers } from "./UnitFunnel.ts"

const groupedResults = (events: ReadonlyArray<StoredEvent>, plan: FunnelPlan): ReadonlyArray<GroupedResult> => {
  const markers = funnelMarkers(plan)
  const run = groupedFunnel(plan)
  const isThere = ({ result }: GroupedResult): boolean => result.reached > 0 || result.buckets.size > 0
  return [...groupBy(events, ({ unitId }) => unitId)].flatMap(([unitId, own]) =>
    unitId === null ? [] : run(unitId, markers(own)).filter(isThere)
  )
}

/** Answers a funnel from the markers of one environment, in any order. */
export const funnel = (events: ReadonlyArray<StoredEvent>, plan: FunnelPlan): FunnelAnswer =>
  funnelAnswer(plan, groupedResults(events, plan))

/** The funnel whose units are listed: without conversion over time, and without breakdowns where no group is chosen. */
export const listedFunnel = ({ funnel: plan, group }: FunnelUnitsPlan): FunnelPlan => ({
  ...plan,
  breakdowns: group === null ? [] : plan.breakdowns,
  overTime: null
})

/** The results that the chosen series is made of. */
const chosenResults = (
  { funnel: plan, group }: FunnelUnitsPlan,
  results: ReadonlyArray<GroupedResult>
): ReadonlyArray<UnitResult> => {
  const isChosen =
    group === null
      ? () => true
      : groupTest(group, () =>
          shownGroups(plan, groupBy(results, (each) => groupKey(each.group)).values()).map((values) => ({
            values,
            isOther: false
          }))
        )
  const own = results.flatMap((each) => (isChosen(each.group) ? [each.result] : []))
  return group?.isOther === true ? merged(own) : own
}

/** Whether the unit's time to convert is in the chosen bin of all times of the series. */
const binTest = (
  { bin, funnel: { timeToConvert: times } }: FunnelUnitsPlan,
  results: ReadonlyArray<UnitResult>
): ((result: UnitResult) => boolean) => {
  if (bin === null || times === undefined) return () => true
  const durationOf = (result: UnitResult) => durationBetween(times, (step) => result.times[step])
  const binAt = binOf(
    results.flatMap((result) => durationOf(result) ?? []),
    times
  )
  return (result) => {
    const duration = durationOf(result)
    return duration !== null && binAt(duration) === bin
  }
}

/** The results of the units that the plan lists, on any page, out of the results of all units. */
export const listedResults = (plan: FunnelUnitsPlan, all: ReadonlyArray<GroupedResult>): ReadonlyArray<UnitResult> => {
  const { step, outcome } = plan
  const results = chosenResults(plan, all)
  const isInBin = binTest(plan, results)
  const isListed = (result: UnitResult): boolean =>
    outcome === "converted" ? standsAt(result, step) : standsAt(result, step - 1) && !standsAt(result, step)
  return results.filter((result) => isListed(result) && isInBin(result))
}

/** One page of the units that the plan lists, out of the results of all units. */
export const listedUnits = (plan: FunnelUnitsPlan, all: ReadonlyArray<GroupedResult>): ReadonlyArray<FunnelUnit> => {
  const times = new Map(listedResults(plan, all).map((result) => [result.unitId, result.times]))
  return pageOfIds([...times.keys()], plan).map((unitId) => ({ unitId, times: times.get(unitId)! }))
}

/**
 * The units behind one number of a funnel. They come from the same computation as the number, so list and count agree.
 */
export const funnelUnits = (events: ReadonlyArray<StoredEvent>, plan: FunnelUnitsPlan): ReadonlyArray<FunnelUnit> =>
  listedUnits(plan, groupedResults(events, listedFunnel(plan)))
