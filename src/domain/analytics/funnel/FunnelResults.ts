import { type BreakdownGroup, type GroupValues, groupKey, other, topGroups, whole } from "../filter/Breakdown.ts"
import { countOf } from "../time/Buckets.ts"
import type { FunnelAnswer, FunnelBucketAnswer, FunnelPlan, FunnelSeries, FunnelStepAnswer } from "./FunnelPlan.ts"
import { groupBy } from "../filter/Grouping.ts"
import { percentileOf } from "../insight/Percentile.ts"
import { durationBetween, timeToConvert } from "./TimeToConvert.ts"
import { exactSum } from "../insight/Sum.ts"

/** What was achieved in a funnel. */
export interface Achieved {
  /** The furthest step, from 1; 0 when the unit did not enter. */
  readonly reached: number
  /** Epoch ms of each step on the path; null for a step not on it. */
  readonly times: ReadonlyArray<number | null>
  /** For each bucket of a first step, the most steps that an attempt from there reached; empty unless asked for. */
  readonly buckets: ReadonlyMap<number, number>
}

/** What one unit achieved in a funnel, or in one group of it. */
export interface UnitResult extends Achieved {
  readonly unitId: string
}

export interface GroupedResult {
  readonly group: GroupValues
  readonly result: UnitResult
}

type Results = ReadonlyArray<UnitResult>

/** Whether the step (from 0) is on the unit's path. */
export const standsAt = ({ times }: Achieved, step: number): boolean => (times[step] ?? null) !== null

const endOf = ({ times }: Achieved): number =>
  times.reduce<number>((end, time) => Math.max(end, time ?? end), -Infinity)

/**
 * The better of a unit's two results: more steps, then the earlier end, then the first. Buckets take the maximum of
 * both.
 */
export const better = <A extends Achieved>(a: A, b: A): A => {
  const isSecond = b.reached > a.reached || (b.reached === a.reached && endOf(b) < endOf(a))
  const buckets = new Map(a.buckets)
  for (const [bucket, reached] of b.buckets) buckets.set(bucket, Math.max(reached, buckets.get(bucket) ?? 0))
  return { ...(isSecond ? b : a), buckets }
}

/** What every step says of these results, in one pass over them: each duration is from the step before on the path. */
const stepAnswers = (results: Results, steps: number): ReadonlyArray<FunnelStepAnswer> => {
  const counts = Array.from({ length: steps }, () => 0)
  const durations = counts.map((): Array<number> => [])
  for (const { times } of results) {
    let previous: number | null = null
    for (let step = 0; step < steps; step++) {
      const time = times[step] ?? null
      if (time === null) continue
      counts[step]!++
      if (previous !== null) durations[step]!.push(time - previous)
      previous = time
    }
  }
  return durations.map((own, step) => {
    const median = percentileOf(own, 50)
    return {
      count: counts[step]!,
      averageSeconds: own.length === 0 ? null : exactSum(own) / own.length / 1000,
      medianSeconds: median === null ? null : median / 1000
    }
  })
}

/** How many units entered in each bucket, and how many of them converted, in one pass over the results. */
const bucketAnswers = (results: Results, buckets: number, steps: number): ReadonlyArray<FunnelBucketAnswer> => {
  const [entered, converted] = [new Float64Array(buckets), new Float64Array(buckets)]
  for (const result of results)
    for (const [bucket, reached] of result.buckets) {
      if (reached > 0 && bucket >= 0 && bucket < buckets) entered[bucket]!++
      if (reached === steps && bucket >= 0 && bucket < buckets) converted[bucket]!++
    }
  return Array.from(entered, (count, bucket) => ({ entered: count, converted: converted[bucket]! }))
}

/** The groups that the answer shows; all others are merged. */
export const shownGroups = (
  { breakdownLimit }: FunnelPlan,
  byGroup: Iterable<ReadonlyArray<GroupedResult>>
): ReadonlyArray<GroupValues> =>
  topGroups(
    Array.from(byGroup, (own) => [own[0]!.group, own.filter(({ result }) => result.reached > 0).length] as const),
    breakdownLimit
  )

const timesOf = ({ timeToConvert: plan }: FunnelPlan, results: Results) =>
  plan === undefined
    ? {}
    : {
        timeToConvert: timeToConvert(
          results.flatMap(({ times }) => durationBetween(plan, (step) => times[step]) ?? []),
          plan
        )
      }

const seriesOf = (plan: FunnelPlan, group: BreakdownGroup, results: Results): FunnelSeries => ({
  group,
  steps: stepAnswers(results, plan.steps.length),
  overTime: bucketAnswers(results, plan.overTime === null ? 0 : countOf(plan.overTime), plan.steps.length),
  ...timesOf(plan, results)
})

/** When groups are merged, a unit in several of them counts once, with its best result. */
export const merged = (results: Results): Results =>
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
  const series = shownGroups(plan, byKey.values()).map((values) => {
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
