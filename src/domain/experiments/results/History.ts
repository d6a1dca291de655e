import type { ExperimentGroupId } from "../../Ids.ts"
import type { ComparisonOptions } from "../statistics/Comparison.ts"
import { type RelativeEffect, relativeEffect } from "./GroupComparison.ts"
import { add } from "./Moments.ts"
import { type MetricShape, spreadOf } from "./Samples.ts"
import type { Moments, ScorecardAnswer, ScorecardPlan } from "./ScorecardPlan.ts"

interface Entry {
  /** The start of the day (epoch ms). */
  readonly at: number
  /** By ordinal; the mean is null if there are no units. */
  readonly groups: ReadonlyArray<{
    readonly groupId: ExperimentGroupId
    readonly n: number
    readonly mean: number | null
  }>
  /** All groups but the control. */
  readonly comparisons: ReadonlyArray<RelativeEffect & { readonly groupId: ExperimentGroupId }>
}

/** For each day from the first exposure to the last: the result over the units first exposed by the end of that day. */
export type MetricHistory = ReadonlyArray<Entry>

const entryOf = (
  shape: MetricShape,
  moments: ReadonlyArray<Moments>,
  groupIds: ReadonlyArray<ExperimentGroupId>,
  control: number,
  options: ComparisonOptions
): Omit<Entry, "at"> => {
  const groups = groupIds.map((groupId, ordinal) => ({ groupId, own: moments[ordinal]! }))
  const against = groups[control]!.own
  return {
    groups: groups.map(({ groupId, own }) => {
      const { n, mean } = spreadOf(shape, own)
      return { groupId, n, mean }
    }),
    comparisons: groups
      .filter((_, ordinal) => ordinal !== control)
      .map(({ groupId, own }) => ({ groupId, ...relativeEffect(shape, against, own, options) }))
  }
}

/** The history of one metric, from the answer's days. */
export const historyOf = (
  { place, shape }: { readonly place: number | null; readonly shape: MetricShape },
  plan: ScorecardPlan,
  { days }: ScorecardAnswer,
  control: number,
  options: ComparisonOptions
): MetricHistory => {
  if (place === null) return []
  const history: Array<Entry> = []
  let totals: ReadonlyArray<Moments> | null = null
  for (const [index, { day, metrics }] of days.entries()) {
    const fresh = metrics[place]!
    totals = totals === null ? fresh : totals.map((moments, ordinal) => add(moments, fresh[ordinal]!))
    const entry = entryOf(shape, totals, plan.groupIds, control, options)
    const next = days[index + 1]?.day ?? day + 1
    for (let at = day; at < next; at++) history.push({ at: plan.days[at]!, ...entry })
  }
  return history
}
