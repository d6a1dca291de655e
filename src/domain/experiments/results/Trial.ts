import type { ExperimentGroupId } from "../../Ids.ts"
import type { Prior } from "../statistics/Bayesian.ts"
import { type ComparisonOptions, standardOptions } from "../statistics/Comparison.ts"
import type { Correction } from "../statistics/MultipleTesting.ts"
import { compareGroups, type GroupComparison } from "./GroupComparison.ts"
import { add, none } from "./Moments.ts"
import type { MetricShape } from "./Samples.ts"
import type { Moments, ScorecardAnswer, ScorecardPlan } from "./ScorecardPlan.ts"

/** A metric of the plan, with how it is judged. */
export interface JudgedMetric {
  /** Index in the plan's metrics; null for a metric that could not be asked. */
  readonly place: number | null
  readonly shape: MetricShape
  readonly role: "goal" | "guardrail"
  readonly direction: "increase" | "decrease"
}

/** What is known about an experiment besides its markers. Instants are epoch ms. */
export interface Trial<Metric extends JudgedMetric> {
  /** The control's ordinal. */
  readonly control: number
  /** The weights by ordinal, for each phase of the plan. */
  readonly weights: ReadonlyArray<ReadonlyArray<number>>
  /** By ordinal, whether the group was dropped. */
  readonly dropped: ReadonlyArray<boolean>
  /** When observation ends: now, or the experiment's end if that is earlier. */
  readonly until: number
  /** Whether the planned end has been reached. */
  readonly isPlannedEnd: boolean
  readonly metrics: ReadonlyArray<Metric>
}

export interface Judging {
  readonly correction: Correction
  readonly prior: Prior
}

/**
 * A metric with its moments by group ordinal, and with each group compared to the control. No moments if the metric
 * could not be asked.
 */
export interface Compared<Metric extends JudgedMetric> {
  readonly metric: Metric
  readonly options: ComparisonOptions
  readonly moments: ReadonlyArray<Moments>
  readonly comparisons: ReadonlyArray<
    GroupComparison & {
      readonly ordinal: number
      readonly controlGroupId: ExperimentGroupId
      readonly groupId: ExperimentGroupId
    }
  >
}

const totalsOf = ({ days }: ScorecardAnswer, place: number, groups: number): ReadonlyArray<Moments> => {
  const width = days[0]?.metrics[place]?.[0]?.sums.length ?? 1
  return Array.from({ length: groups }, (_, ordinal) =>
    days.reduce((total, { metrics }) => add(total, metrics[place]![ordinal]!), none(width))
  )
}

/** Returns a function that compares all groups of a metric with the control. */
export const compareMetric =
  <Metric extends JudgedMetric>(
    { groupIds }: ScorecardPlan,
    answer: ScorecardAnswer,
    { control }: Trial<Metric>,
    { prior }: Judging
  ): ((metric: Metric) => Compared<Metric>) =>
  (metric) => {
    const { place, shape, direction } = metric
    const options = { ...standardOptions, prior, direction }
    if (place === null) return { metric, options, moments: [], comparisons: [] }
    const moments = totalsOf(answer, place, groupIds.length)
    const comparisons = [...groupIds.entries()]
      .filter(([ordinal]) => ordinal !== control)
      .map(([ordinal, groupId]) => ({
        ordinal,
        controlGroupId: groupIds[control]!,
        groupId,
        ...compareGroups(shape, moments[control]!, moments[ordinal]!, options)
      }))
    return { metric, options, moments, comparisons }
  }
