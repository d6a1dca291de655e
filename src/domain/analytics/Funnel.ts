import { type Group, type GroupValues, groupKey, other, topGroups, whole } from "./Breakdown.ts"
import { countOf } from "./Buckets.ts"
import type { StoredEvent } from "./Event.ts"
import { type GroupedResult, groupedFunnel } from "./FunnelGroups.ts"
import type {
  FunnelAnswer,
  FunnelPlan,
  FunnelSeries,
  FunnelStepAnswer,
  FunnelUnit,
  FunnelUnitsPlan
} from "./FunnelPlan.ts"
import { groupBy } from "./Grouping.ts"
import { percentileOf } from "./Percentile.ts"
import { exactSum } from "./Sum.ts"
import { type UnitResult, better, funnelMarkers } from "./UnitFunnel.ts"

type Results = ReadonlyArray<UnitResult>

const unitResults = (events: ReadonlyArray<StoredEvent>, plan: FunnelPlan): ReadonlyArray<GroupedResult> => {
  const markers = funnelMarkers(plan)
  const run = groupedFunnel(plan)
  return [...groupBy(events, ({ unitId }) => unitId)].flatMap(([unitId, own]) =>
    unitId === null
      ? []
      : run(unitId, markers(own)).filter(({ result }) => result.reached > 0 || result.buckets.size > 0)
  )
}

/** Milliseconds from the step before on the path to this one. */
const duration = ({ path }: UnitResult, step: number): number | null => {
  const event = path[step]
  const previous = path.slice(0, step).findLast((earlier) => earlier !== null)
  return event && previous ? event.timestamp - previous.timestamp : null
}

const stands = ({ path }: UnitResult, step: number): boolean => (path[step] ?? null) !== null

const stepAnswer = (results: Results, step: number): FunnelStepAnswer => {
  const durations = results.map((result) => duration(result, step)).filter((value) => value !== null)
  const median = percentileOf(durations, 50)
  return {
    count: results.filter((result) => stands(result, step)).length,
    averageSeconds: durations.length === 0 ? null : exactSum(durations) / durations.length / 1000,
    medianSeconds: median === null ? null : median / 1000
  }
}

const seriesOf = (plan: FunnelPlan, group: Group, results: Results): FunnelSeries => ({
  group,
  steps: plan.steps.map((_, step) => stepAnswer(results, step)),
  overTime: Array.from({ length: plan.overTime === null ? 0 : countOf(plan.overTime) }, (_, bucket) => {
    const steps = results.map(({ buckets }) => buckets.get(bucket) ?? 0)
    return {
      entered: steps.filter((reached) => reached > 0).length,
      converted: steps.filter((reached) => reached === plan.steps.length).length
    }
  })
})

/** A unit of several merged groups counts once, with its best result. */
const merged = (results: Results): Results =>
  [...groupBy(results, ({ unitId }) => unitId).values()].map((own) => own.reduce(better))

/** Puts together what the units did, each in its groups; units that never started are left out. */
export const funnelAnswer = (plan: FunnelPlan, grouped: ReadonlyArray<GroupedResult>): FunnelAnswer => {
  if (plan.breakdowns.length === 0) {
    return {
      series: [
        seriesOf(
          plan,
          whole,
          grouped.map(({ result }) => result)
        )
      ]
    }
  }
  const byKey = groupBy(grouped, ({ group }) => groupKey(group))
  const resultsOf = (group: GroupValues): Results => (byKey.get(groupKey(group)) ?? []).map(({ result }) => result)
  const scores = [...byKey.values()].map(
    (own) => [own[0]!.group, own.filter(({ result }) => result.reached > 0).length] as const
  )
  const shown = topGroups(scores, plan.breakdownLimit)
  const keys = new Set(shown.map(groupKey))
  const rest = grouped.filter(({ group }) => !keys.has(groupKey(group))).map(({ result }) => result)
  const series = shown.map((values) => seriesOf(plan, { values, isOther: false }, resultsOf(values)))
  return { series: rest.length === 0 ? series : [...series, seriesOf(plan, other, merged(rest))] }
}

/** Answers a funnel from the markers of one environment, in any order. */
export const funnel = (events: ReadonlyArray<StoredEvent>, plan: FunnelPlan): FunnelAnswer =>
  funnelAnswer(plan, unitResults(events, plan))

/** The plan that lists units: that of the numbers without its breakdowns. */
export const plainFunnel = ({ funnel: plan }: FunnelUnitsPlan): FunnelPlan => ({
  ...plan,
  breakdowns: [],
  overTime: null
})

/** Of the results of all units those that the plan lists. */
export const listedUnits = (plan: FunnelUnitsPlan, results: Results): ReadonlyArray<FunnelUnit> => {
  const { step, outcome, after, limit } = plan
  const isListed = (result: UnitResult): boolean =>
    outcome === "converted" ? stands(result, step) : stands(result, step - 1) && !stands(result, step)
  return results
    .filter((result) => (after === null || result.unitId > after) && isListed(result))
    .sort((a, b) => (a.unitId < b.unitId ? -1 : 1))
    .slice(0, limit)
    .map(({ unitId, path }) => ({ unitId, times: path.map((event) => event?.timestamp ?? null) }))
}

/** The units that a number of a funnel counts: with the same pass, so that list and count agree. */
export const funnelUnits = (events: ReadonlyArray<StoredEvent>, plan: FunnelUnitsPlan): ReadonlyArray<FunnelUnit> =>
  listedUnits(
    plan,
    unitResults(events, plainFunnel(plan)).map(({ result }) => result)
  )
