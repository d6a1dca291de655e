import type { Prior } from "../stats/Bayesian.ts"
import { type ComparisonOptions, standardOptions } from "../stats/Comparison.ts"
import { type Correction, adjust } from "../stats/MultipleTesting.ts"
import * as Power from "../stats/Power.ts"
import { type SampleRatio, check, checkPhase } from "../stats/SampleRatio.ts"
import { type Evidence, type Verdict, verdict } from "../stats/Verdict.ts"
import { type GroupComparison, compareGroups } from "./GroupComparison.ts"
import { type MetricHistory, historyOf } from "./History.ts"
import { add, none } from "./Moments.ts"
import { type MetricShape, armOf } from "./Samples.ts"
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
export interface Trial {
  /** Ordinal of the control. */
  readonly control: number
  /** Weights by ordinal, for each of the plan's phases. */
  readonly weights: ReadonlyArray<ReadonlyArray<number>>
  /** When looking ends: the present, or the experiment's end when that came before. */
  readonly until: number
  /** The planned end has come. */
  readonly isPlannedEnd: boolean
  readonly metrics: ReadonlyArray<JudgedMetric>
}

export interface Judging {
  readonly correction: Correction
  readonly prior: Prior
}

/** A group against the control. Corrected over goals and groups where the metric is a goal. */
export interface JudgedComparison extends GroupComparison {
  readonly ordinal: number
  readonly adjustedPValue: number | null
  readonly verdict: Verdict
}

export interface MetricReport {
  /** By group ordinal; empty for a metric that could not be asked for. */
  readonly groups: ReadonlyArray<Moments>
  readonly comparisons: ReadonlyArray<JudgedComparison>
  readonly history: MetricHistory
  /** Relative to the control, at the units of the smallest group. */
  readonly minimumDetectableEffect: number | null
  /** What the largest effect seen so far would take to be found. */
  readonly unitsPerGroup: number | null
}

export interface Report {
  /** By group ordinal. */
  readonly exposures: ReadonlyArray<number>
  readonly multipleExposure: { readonly units: number; readonly share: number }
  readonly sampleRatio: SampleRatio
  readonly phases: ReadonlyArray<SampleRatio>
  /** One for each metric of the trial. */
  readonly metrics: ReadonlyArray<MetricReport>
}

interface Compared {
  readonly metric: JudgedMetric
  readonly groups: ReadonlyArray<Moments>
  readonly comparisons: ReadonlyArray<GroupComparison & { readonly ordinal: number }>
}

const optionsFor = ({ direction }: JudgedMetric, { prior }: Judging): ComparisonOptions => ({
  ...standardOptions,
  prior,
  direction
})

const totalsOf = (answer: ScorecardAnswer, place: number, groups: number): ReadonlyArray<Moments> => {
  const width = answer.days[0]?.metrics[place]?.[0]?.sums.length ?? 1
  return Array.from({ length: groups }, (_, ordinal) =>
    answer.days.reduce((total, { metrics }) => add(total, metrics[place]![ordinal]!), none(width))
  )
}

const compared = (
  metric: JudgedMetric,
  trial: Trial,
  plan: ScorecardPlan,
  answer: ScorecardAnswer,
  judging: Judging
): Compared => {
  if (metric.place === null) return { metric, groups: [], comparisons: [] }
  const groups = totalsOf(answer, metric.place, plan.groupIds.length)
  const options = optionsFor(metric, judging)
  const comparisons = [...groups.entries()]
    .filter(([ordinal]) => ordinal !== trial.control)
    .map(([ordinal, group]) => ({ ordinal, ...compareGroups(metric.shape, groups[trial.control]!, group, options) }))
  return { metric, groups, comparisons }
}

/** The p-values of one method, metric by metric, corrected over all comparisons of goals; those of guardrails as they are. */
const corrected = (
  all: ReadonlyArray<Compared>,
  method: "frequentist" | "sequential",
  correction: Correction
): ReadonlyArray<ReadonlyArray<number | null>> => {
  const family = all.flatMap(({ metric, comparisons }) =>
    metric.role === "goal" ? comparisons.flatMap(({ [method]: { pValue } }) => (pValue === null ? [] : [pValue])) : []
  )
  const adjusted = adjust(correction, family).values()
  return all.map(({ metric, comparisons }) =>
    comparisons.map(({ [method]: { pValue } }) =>
      metric.role === "goal" && pValue !== null ? (adjusted.next().value ?? null) : pValue
    )
  )
}

const powerOf = ({ metric, groups, comparisons }: Compared, control: number) => {
  const nothing = { minimumDetectableEffect: null, unitsPerGroup: null }
  if (groups.length === 0) return nothing
  const { mean, variance } = armOf(metric.shape, groups[control]!)
  const units = Math.min(...groups.map(({ n }) => n).filter((n) => n > 0))
  const effect = Math.max(...comparisons.map(({ absolute }) => Math.abs(absolute ?? 0)))
  if (!(variance > 0 && Number.isFinite(units))) return nothing
  return {
    minimumDetectableEffect: mean === 0 ? null : Power.minimumDetectableEffect(variance, units) / Math.abs(mean),
    unitsPerGroup: effect > 0 ? Power.unitsPerArm(variance, effect) : null
  }
}

/** What all verdicts of a report rest on. */
interface Grounds {
  readonly trial: Trial
  readonly exposures: ReadonlyArray<number>
  readonly evidence: Pick<Evidence, "elapsed" | "sampleRatio" | "multipleExposureShare" | "isPlannedEnd" | "alpha">
}

const judged = (
  { metric, comparisons }: Compared,
  fixed: ReadonlyArray<number | null>,
  peeking: ReadonlyArray<number | null>,
  { trial, exposures, evidence }: Grounds
): ReadonlyArray<JudgedComparison> =>
  comparisons.map((comparison, at) => ({
    ...comparison,
    adjustedPValue: fixed[at] ?? null,
    verdict: verdict({
      ...evidence,
      units: [exposures[trial.control]!, exposures[comparison.ordinal]!],
      direction: metric.direction,
      estimate: comparison.absolute ?? 0,
      sequentialPValue: peeking[at] ?? 1,
      fixedHorizonPValue: fixed[at] ?? 1
    })
  }))

const evidenceOf = (
  answer: ScorecardAnswer,
  trial: Trial,
  sampleRatio: SampleRatio,
  multipleExposureShare: number
) => ({
  elapsed: answer.firstExposedAt === null ? 0 : trial.until - answer.firstExposedAt,
  sampleRatio: sampleRatio.verdict,
  multipleExposureShare,
  isPlannedEnd: trial.isPlannedEnd,
  alpha: standardOptions.alpha
})

/** Everything that may be said of an experiment (SEMANTICS §8): the same answer and trial give the same report. */
export const report = (plan: ScorecardPlan, answer: ScorecardAnswer, trial: Trial, judging: Judging): Report => {
  const { exposedUnits, multiplyExposed, days } = answer
  const exposures = plan.groupIds.map((_, ordinal) => days.reduce((sum, day) => sum + day.exposures[ordinal]!, 0))
  const phases = answer.phases.map((observed, phase) => ({ observed, weights: trial.weights[phase]! }))
  const sampleRatio = check(phases)
  const share = exposedUnits === 0 ? 0 : multiplyExposed / exposedUnits
  const all = trial.metrics.map((metric) => compared(metric, trial, plan, answer, judging))
  const fixed = corrected(all, "frequentist", judging.correction)
  const peeking = corrected(all, "sequential", judging.correction)
  const grounds = { trial, exposures, evidence: evidenceOf(answer, trial, sampleRatio, share) }
  return {
    exposures,
    multipleExposure: { units: multiplyExposed, share },
    sampleRatio,
    phases: phases.map(checkPhase),
    metrics: all.map((one, index) => ({
      groups: one.groups,
      comparisons: judged(one, fixed[index]!, peeking[index]!, grounds),
      history: historyOf(one.metric, plan, answer, trial.control, optionsFor(one.metric, judging)),
      ...powerOf(one, trial.control)
    }))
  }
}
