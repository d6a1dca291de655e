import type { StoredEvent } from "../markers/Event.ts"
import { groupedFunnel } from "./FunnelGroups.ts"
import type { FunnelAnswer, FunnelPlan, FunnelUnit, FunnelUnitsPlan } from "./FunnelPlan.ts"
import { type GroupedResult, type UnitResult, funnelAnswer, standsAt } from "./FunnelResults.ts"
import { groupBy } from "../filter/Grouping.ts"
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

/** The funnel whose units are listed: without breakdowns. */
export const plainFunnel = ({ funnel: { timeToConvert: _, ...plan } }: FunnelUnitsPlan): FunnelPlan => ({
  ...plan,
  breakdowns: [],
  overTime: null
})

/** One page of the units that the plan lists, out of the results of all units. */
export const listedUnits = (plan: FunnelUnitsPlan, results: ReadonlyArray<UnitResult>): ReadonlyArray<FunnelUnit> => {
  const { step, outcome, after, limit } = plan
  const isListed = (result: UnitResult): boolean =>
    outcome === "converted" ? standsAt(result, step) : standsAt(result, step - 1) && !standsAt(result, step)
  return results
    .filter((result) => (after === null || result.unitId > after) && isListed(result))
    .sort((a, b) => (a.unitId < b.unitId ? -1 : 1))
    .slice(0, limit)
    .map(({ unitId, times }) => ({ unitId, times }))
}

/**
 * The units behind one number of a funnel. They come from the same computation as the number, so list and count agree.
 */
export const funnelUnits = (events: ReadonlyArray<StoredEvent>, plan: FunnelUnitsPlan): ReadonlyArray<FunnelUnit> =>
  listedUnits(
    plan,
    groupedResults(events, plainFunnel(plan)).map(({ result }) => result)
  )
