import type { ExperimentGroupId } from "../../Ids.ts"
import { standardOptions } from "../statistics/Comparison.ts"
import { type SampleRatio, check, checkPhase } from "../statistics/SampleRatio.ts"
import { type MetricHistory, historyOf } from "./History.ts"
import { type Grounds, type JudgedComparison, judge, type MetricPower, powerOf } from "./Judgement.ts"
import { withExponents } from "./Magnitude.ts"
import { type MetricShape, type Spread, spreadOf } from "./Samples.ts"
import type { Moments, ScorecardAnswer, ScorecardPlan } from "./ScorecardPlan.ts"
import { compareMetric, type JudgedMetric, type Judging, type Trial } from "./Trial.ts"

/** Numerator and denominator are the sums of a ratio. */
export interface GroupReport extends Spread {
  readonly groupId: ExperimentGroupId
  readonly numerator?: number
  readonly denominator?: number
}

/** Groups by ordinal; empty for a metric that could not be asked. */
export interface MetricReport<Metric extends JudgedMetric> {
  readonly metric: Metric
  readonly groups: ReadonlyArray<GroupReport>
  readonly comparisons: ReadonlyArray<JudgedComparison>
  readonly history: MetricHistory
  readonly power: MetricPower
}

export interface PhaseCheck extends SampleRatio {
  /** When the phase begins (epoch ms). */
  readonly from: number
}

export interface Report<Metric extends JudgedMetric> {
  /** By group ordinal. */
  readonly exposures: ReadonlyArray<{ readonly groupId: ExperimentGroupId; readonly units: number }>
  /** `share` is the share among all exposed units, 0..1. */
  readonly multipleExposure: { readonly units: number; readonly share: number }
  readonly sampleRatio: SampleRatio & { readonly phases: ReadonlyArray<PhaseCheck> }
  readonly metrics: ReadonlyArray<MetricReport<Metric>>
  /** Since the first exposure, in ms; 0 before it. */
  readonly elapsed: number
}

const groupOf = (shape: MetricShape, moments: Moments, groupId: ExperimentGroupId): GroupReport => {
  const spread = { groupId, ...spreadOf(shape, moments) }
  if (shape !== "ratio") return spread
  const [numerator = 0, denominator = 0] = withExponents(moments, [0, 0, 0, 0]).sums
  return { ...spread, numerator, denominator }
}

const sampleRatioOf = (plan: ScorecardPlan, answer: ScorecardAnswer, weights: ReadonlyArray<ReadonlyArray<number>>) => {
  const phases = answer.phases.map((observed, phase) => ({ observed, weights: weights[phase]! }))
  return {
    ...check(phases),
    phases: phases.map((phase, index) => ({ from: plan.phases[index]!, ...checkPhase(phase) }))
  }
}

/** The report on an experiment. The same answer and trial always give the same report. */
export const report = <Metric extends JudgedMetric>(
  plan: ScorecardPlan,
  answer: ScorecardAnswer,
  trial: Trial<Metric>,
  judging: Judging
): Report<Metric> => {
  const { exposedUnits, multiplyExposed, firstExposedAt, days } = answer
  const { control, until, isPlannedEnd } = trial
  const exposures = plan.groupIds.map((_, ordinal) => days.reduce((sum, day) => sum + day.exposures[ordinal]!, 0))
  const sampleRatio = sampleRatioOf(plan, answer, trial.weights)
  const share = exposedUnits === 0 ? 0 : multiplyExposed / exposedUnits
  const grounds: Grounds = {
    control,
    elapsed: firstExposedAt === null ? 0 : until - firstExposedAt,
    sampleRatio: sampleRatio.verdict,
    exposedUnits,
    multipleExposureShare: share,
    isPlannedEnd,
    alpha: standardOptions.alpha
  }
  const all = trial.metrics.map(compareMetric(plan, answer, trial, judging))
  const judged = judge(all, judging.correction, grounds)
  return {
    exposures: plan.groupIds.map((groupId, ordinal) => ({ groupId, units: exposures[ordinal]! })),
    multipleExposure: { units: multiplyExposed, share },
    sampleRatio,
    elapsed: grounds.elapsed,
    metrics: all.map((compared, index) => ({
      metric: compared.metric,
      groups: compared.moments.map((one, ordinal) => groupOf(compared.metric.shape, one, plan.groupIds[ordinal]!)),
      comparisons: judged[index]!,
      history: historyOf(compared.metric, plan, answer, control, compared.options),
      power: powerOf(compared, trial)
    }))
  }
}
