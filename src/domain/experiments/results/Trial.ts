import type { ExperimentGroupId } from "../../Ids.ts"
import type { Prior } from "../statistics/Bayesian.ts"
import { type ComparisonOptions, standardOptions } from "../statistics/Comparison.ts"
import type { Correction } from "../statistics/MultipleTesting.ts"
import { compareGroups, type GroupComparison } from "./GroupComparison.ts"
import { add, none } from "./Moments.ts"
import type { MetricShape } from "./Samples.ts"
import type { Moments, ScorecardAnswer, ScorecardPlan } from "./ScorecardPlan.ts"

/** A metric of the plan, and how it judges. */
export interface JudgedMetric {
  /** Place in the plan's metrics; null for one that could not be asked for. */
  readonly place: number | null
  readonly shape: MetricShape
  readonly role: "goal" | "guardrail"
  readonly direction: "increase" | "decrease"
}

/** What is known of the experiment besides its markers. Instants in epoch milliseconds. */
export interface Trial<Metric extends JudgedMetric> {
  /** Ordinal of the control. */
  readonly control: number
  /** Weights by ordinal, for each of the plan's phases. */
  readonly weights: ReadonlyArray<ReadonlyArray<number>>
  /** When looking ends: the present, or the experiment's end when that came before. */
  readonly until: number
  /** The planned end has come. */
  readonly isPlannedEnd: boolean
  readonly metrics: ReadonlyArray<Metric>
}

export interface Judging {
  readonly correction: Correction
  readonly prior: Prior
}

/** A metric with its moments by group ordinal, and every group but the control against it. Without moments when nothing was asked. */
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
