import type { ComparisonOptions } from "../stats/Comparison.ts"
import type { Interval } from "../stats/Interval.ts"
import { relativeEffect } from "./GroupComparison.ts"
import { add } from "./Moments.ts"
import { type MetricShape, armOf } from "./Samples.ts"
import type { Moments, ScorecardAnswer, ScorecardPlan } from "./ScorecardPlan.ts"

interface Entry {
  /** When the day began, epoch milliseconds. */
  readonly at: number
  /** By group ordinal: units, and their mean (null without units). */
  readonly groups: ReadonlyArray<{ readonly n: number; readonly mean: number | null }>
  readonly effects: ReadonlyArray<{
    readonly ordinal: number
    readonly relative: number | null
    readonly interval: Interval | null
  }>
}

/** Of the units first exposed up to the end of each day: one entry for every day from the first exposure to the last. */
export type MetricHistory = ReadonlyArray<Entry>

const entryOf = (
  shape: MetricShape,
  groups: ReadonlyArray<Moments>,
  control: number,
  options: ComparisonOptions
): Omit<Entry, "at"> => {
  const arms = groups.map((moments) => armOf(shape, moments))
  return {
    groups: arms.map(({ n, mean }) => ({ n, mean: n === 0 ? null : mean })),
    effects: [...arms.entries()]
      .filter(([ordinal]) => ordinal !== control)
      .map(([ordinal, arm]) => ({ ordinal, ...relativeEffect(arms[control]!, arm, options) }))
  }
}

export const historyOf = (
  { place, shape }: { readonly place: number | null; readonly shape: MetricShape },
  plan: ScorecardPlan,
  { days }: ScorecardAnswer,
  control: number,
  options: ComparisonOptions
): MetricHistory => {
  if (place === null) return []
  const history: Array<Entry> = []
  let groups: ReadonlyArray<Moments> | null = null
  for (const [index, { day, metrics }] of days.entries()) {
    const fresh = metrics[place]!
    groups = groups === null ? fresh : groups.map((moments, ordinal) => add(moments, fresh[ordinal]!))
    const entry = entryOf(shape, groups, control, options)
    const next = days[index + 1]?.day ?? day + 1
    for (let at = day; at < next; at++) history.push({ at: plan.days[at]!, ...entry })
  }
  return history
}
