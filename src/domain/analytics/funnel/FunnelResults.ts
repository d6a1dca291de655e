import { type Group, type GroupValues, groupKey, other, topGroups, whole } from "../filter/Breakdown.ts"
import { countOf } from "../time/Buckets.ts"
import type { FunnelAnswer, FunnelPlan, FunnelSeries, FunnelStepAnswer } from "./FunnelPlan.ts"
import { groupBy } from "../filter/Grouping.ts"
import { percentileOf } from "../insight/Percentile.ts"
import { exactSum } from "../insight/Sum.ts"

/** What one unit achieved in a funnel, or in one group of it. */
export interface UnitResult {
  readonly unitId: string
  /** The furthest step, from 1; 0 when the unit did not enter. */
  readonly reached: number
  /** Epoch ms of each step on the path; null for a step not on it. */
  readonly times: ReadonlyArray<number | null>
  /** For each bucket of a first step, the most steps that an attempt from there reached; empty unless asked for. */
  readonly buckets: ReadonlyMap<number, number>
}

export interface GroupedResult {
  readonly group: GroupValues
  readonly result: UnitResult
}

type Results = ReadonlyArray<UnitResult>

/** Whether the step (from 0) is on the unit's path. */
export const standsAt = ({ times }: UnitResult, step: number): boolean => (times[step] ?? null) !== null

const endOf = ({ times }: UnitResult): number =>
  times.reduce<number>((end, time) => Math.max(end, time ?? end), -Infinity)

/**
 * The better of a unit's two results: more steps, then the earlier end, then the first. Buckets take the maximum of
 * both.
 */
export const better = <A extends UnitResult>(a: A, b: A): A => {
  const isSecond = b.reached > a.reached || (b.reached === a.reached && endOf(b) < endOf(a))
  const buckets = new Map(a.buckets)
  for (const [bucket, reached] of b.buckets) buckets.set(bucket, Math.max(reached, buckets.get(bucket) ?? 0))
  return { ...(isSecond ? b : a), buckets }
}

/** Milliseconds from the previous step on the path to this one. */
const duration = ({ times }: UnitResult, step: number): number | null => {
  const time = times[step] ?? null
  const previous = times.slice(0, step).findLast((earlier) => earlier !== null) ?? null
  return time === null || previous === null ? null : time - previous
}

const stepAnswer = (results: Results, step: number): FunnelStepAnswer => {
  const durations = results.map((result) => duration(result, step)).filter((value) => value !== null)
  const median = percentileOf(durations, 50)
  return {
    count: results.filter((result) => standsAt(result, step)).length,
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

/** When groups are merged, a unit in several of them counts once, with its best result. */
const merged = (results: Results): Results =>
  [...groupBy(results, ({ unitId }) => unitId).values()].map((own) => own.reduce(better))

/** A funnel's answer from the results of its units; results of units that did not enter may be left out. */
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
  const scores = [...byKey.values()].map(
    (own) => [own[0]!.group, own.filter(({ result }) => result.reached > 0).length] as const
  )
  const series = topGroups(scores, plan.breakdownLimit).map((values) => {
    const key = groupKey(values)
    const own = byKey.get(key) ?? []
    byKey.delete(key)
    return seriesOf(
      plan,
      { values, isOther: false },
      own.map(({ result }) => result)
    )
  })
  const rest = [...byKey.values()].flat().map(({ result }) => result)
  return { series: rest.length === 0 ? series : [...series, seriesOf(plan, other, merged(rest))] }
}
