import { DateTime } from "effect"
import type { ExperimentMetric, ExperimentMetrics } from "../../../schema/experiments/ExperimentMetric.ts"
import type {
  MetricComparison,
  MetricResult,
  SampleRatioCheck,
  Scorecard
} from "../../../schema/experiments/Scorecard.ts"
import { dayMillis } from "../../domain/Durations.ts"
import { type ExperimentProgress, hasEnded } from "../../domain/experiments/Experiment.ts"
import { daysToGo } from "../../domain/experiments/results/Pace.ts"
import type { JudgedComparison } from "../../domain/experiments/results/Judgement.ts"
import type { MetricReport, Report } from "../../domain/experiments/results/Report.ts"
import type { MetricShape } from "../../domain/experiments/results/Samples.ts"
import type { JudgedMetric } from "../../domain/experiments/results/Trial.ts"
import { standardPlan } from "../../domain/experiments/statistics/Power.ts"
import type { SampleRatio } from "../../domain/experiments/statistics/SampleRatio.ts"
import type { ExperimentForResults } from "./ExperimentsForResults.ts"

/** A metric and what it is to its experiment. */
export interface NamedMetric {
  readonly request: ExperimentMetric
  readonly role: "goal" | "guardrail"
}

/** A metric as it was asked for and as it judges. */
export interface ShownMetric extends JudgedMetric, NamedMetric {}

/** Goals first, each in the order given. */
export const namedMetrics = ({ goals, guardrails }: ExperimentMetrics): ReadonlyArray<NamedMetric> => [
  ...goals.map((request) => ({ request, role: "goal" as const })),
  ...guardrails.map((request) => ({ request, role: "guardrail" as const }))
]

export const shapeOf = ({ type }: ExperimentMetric): MetricShape =>
  type === "mean" || type === "ratio" ? type : "proportion"

const comparisonOf = ({ adjustedPValue, ...compared }: JudgedComparison): MetricComparison => ({
  ...compared,
  frequentist: { ...compared.frequentist, adjustedPValue }
})

const metricOf = ({ metric, groups, comparisons, history }: MetricReport<ShownMetric>): MetricResult => ({
  id: metric.request.id,
  name: metric.request.name,
  type: metric.request.type,
  role: metric.role,
  direction: metric.direction,
  groups,
  comparisons: comparisons.map(comparisonOf),
  overTime: history.map(({ at, ...entry }) => ({ bucket: DateTime.unsafeMake(at), ...entry }))
})

const checkOf = ({ observed, expected, chiSquare, pValue, verdict }: SampleRatio) => ({
  observed,
  expected,
  chiSquare,
  pValue,
  verdict
})

const sampleRatioOf = ({ phases, ...all }: Report<ShownMetric>["sampleRatio"]): SampleRatioCheck => ({
  ...checkOf(all),
  phases: phases.map(({ from, ...phase }) => ({ from: DateTime.unsafeMake(from), ...checkOf(phase) }))
})

/** The groups that take units, by ordinal: none once the experiment has ended. */
const enrollingIn = ({ status, groups }: ExperimentProgress): ReadonlyArray<boolean> =>
  groups.map(({ isDropped, weight }) => !hasEnded(status) && !isDropped && weight > 0)

const scheduleOf = (
  { status, startsAt, endsAt, terminatedAt }: ExperimentProgress,
  elapsed: number,
  now: number
): Scorecard["schedule"] => {
  const until = Math.min(now, terminatedAt ?? Infinity, endsAt ?? Infinity)
  return {
    startsAt: DateTime.unsafeMake(startsAt),
    endsAt: endsAt === null ? null : DateTime.unsafeMake(endsAt),
    daysElapsed: Math.max(0, until - startsAt) / dayMillis,
    daysExposed: elapsed / dayMillis,
    daysLeft: endsAt === null ? null : hasEnded(status) ? 0 : Math.max(0, endsAt - now) / dayMillis
  }
}

/** What a scorecard tells, of the metrics that `isShown`. */
export const viewOf = (
  { exposures, multipleExposure, sampleRatio, metrics, elapsed }: Report<ShownMetric>,
  { groups, progress }: ExperimentForResults,
  now: number,
  isShown: (metric: ExperimentMetric) => boolean
): Omit<Scorecard, "experimentId" | "status" | "asOf"> => {
  const shown = metrics.filter(({ metric }) => isShown(metric.request))
  const isEnrolling = enrollingIn(progress)
  const enrolling = exposures.filter((_, ordinal) => isEnrolling[ordinal]).map(({ units }) => units)
  return {
    schedule: scheduleOf(progress, elapsed, now),
    groups: groups.map(({ id, name, isControl }, ordinal) => ({
      groupId: id,
      name,
      isControl,
      dropped: progress.groups[ordinal]?.isDropped === true
    })),
    exposures,
    multipleExposure,
    srm: sampleRatioOf(sampleRatio),
    metrics: shown.map(metricOf),
    power: {
      ...standardPlan,
      metrics: shown.map(({ metric, power }) => ({
        id: metric.request.id,
        ...power,
        daysToGo: daysToGo(enrolling, elapsed, power.unitsPerGroup)
      }))
    }
  }
}
