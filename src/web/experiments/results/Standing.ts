import { type MultipleExposureVerdict, ofMultipleExposure } from "../../../domain/experiments/statistics/Verdict.ts"
import type { Comparison, MetricResult, Scorecard } from "../ExperimentQueries.ts"
import type { Experiment } from "../ExperimentWords.ts"
import { isOpen, unitsWord } from "../ExperimentWords.ts"

/** A group against the control by one metric. */
export interface Pair {
  readonly metric: MetricResult
  readonly comparison: Comparison
}

/** What a verdict is made of. */
export interface Judged {
  readonly experiment: Experiment
  readonly scorecard: Scorecard
  /** Whether the base has what the winner changes; null where that is not known. */
  readonly isApplied: boolean | null
  readonly timezone: string
}

/**
 * Where an experiment stands as a whole. `unmeasured`: it has no metric, or none that can be asked. `open`: enough data, and nothing is
 * decided.
 */
export type Standing = "scheduled" | "unmeasured" | "unhealthy" | "collecting" | "open" | "decided"

/** Units of each group, and days, below which nothing is concluded. */
export const leastUnits = 100
export const leastDays = 7

export const pairsOf = ({ metrics }: Pick<Scorecard, "metrics">): ReadonlyArray<Pair> =>
  metrics.flatMap((metric) => metric.comparisons.map((comparison) => ({ metric, comparison })))

const isDecided = ({ comparison: { verdict } }: Pair): boolean => verdict === "winning" || verdict === "losing"

export const exposedUnits = ({ exposures }: Pick<Scorecard, "exposures">): number =>
  exposures.reduce((sum, { units }) => sum + units, 0)

/**
 * How far units in several groups spoil the comparison. Whether that forbids a verdict is for the server to say, which waits for
 * more units where there are few.
 */
export const mixedVerdict = (scorecard: Pick<Scorecard, "metrics" | "multipleExposure">): MultipleExposureVerdict => {
  const verdict = ofMultipleExposure(scorecard.multipleExposure.share)
  const isForbidden = pairsOf(scorecard).some(({ comparison }) => comparison.verdict === "unhealthy")
  return verdict === "unhealthy" && !isForbidden ? "warning" : verdict
}

type Counts = Pick<Scorecard, "exposures" | "groups" | "metrics">

/** Units of a group by the metric that most of them count for: those of a retention count once their day is over. */
const countedIn = (metrics: Scorecard["metrics"], id: number): number => {
  const counts = metrics.flatMap(({ groups }) => groups.flatMap(({ groupId, n }) => (groupId === id ? [n] : [])))
  return counts.length === 0 ? Infinity : Math.max(...counts)
}

/** Of the smallest group that still takes part, the units that were exposed, and those of them that count already. */
export const smallestGroup = ({ exposures, groups, metrics }: Counts) => {
  const taking = new Set(groups.filter(({ dropped }) => !dropped).map(({ groupId }) => groupId))
  const open = exposures.filter(({ groupId }) => taking.has(groupId))
  const counts = open.map(({ groupId, units }) => ({
    exposed: units,
    units: Math.min(units, countedIn(metrics, groupId))
  }))
  return counts.toSorted((one, other) => one.units - other.units)[0] ?? { exposed: 0, units: 0 }
}

/** What the units of the smallest group are called beside their number. */
export const countedWords = ({ experiment, scorecard }: Pick<Judged, "experiment" | "scorecard">): string => {
  const { units, exposed } = smallestGroup(scorecard)
  return `${unitsWord(experiment)}${units < exposed ? " with their day over" : ""} in the smallest group`
}

export const standingOf = ({ status }: Pick<Experiment, "status">, scorecard: Scorecard): Standing => {
  if (status === "scheduled") return "scheduled"
  if (scorecard.srm.verdict === "unhealthy" || mixedVerdict(scorecard) === "unhealthy") return "unhealthy"
  const pairs = pairsOf(scorecard)
  if (pairs.length === 0) return "unmeasured"
  if (pairs.some(isDecided)) return "decided"
  return pairs.every(({ comparison }) => comparison.verdict === "collecting") ? "collecting" : "open"
}

/** Whether the experiment ran until its planned end, so that the fixed horizon may decide. */
export const isAtPlannedEnd = (
  experiment: Pick<Experiment, "endsAt" | "terminatedAt">,
  { asOf }: Pick<Scorecard, "asOf">
): boolean => {
  const { endsAt, terminatedAt } = experiment
  return terminatedAt === null && endsAt !== null && Date.parse(asOf) >= Date.parse(endsAt)
}

/** The p-value that stands behind a verdict: that of the fixed horizon at the planned end, else the one that is safe at any time. */
export const decidingP = ({ frequentist, sequential }: Comparison, isPlannedEnd: boolean): number | null =>
  isPlannedEnd ? frequentist.pValue : sequential.pValue

/** How far the chance to win is from one half. */
export const strengthOf = ({ comparison }: Pair): number => Math.abs((comparison.bayesian.chanceToWin ?? 0.5) - 0.5)

const goalsFirst = (one: Pair, other: Pair): number =>
  Number(other.metric.role === "goal") - Number(one.metric.role === "goal")

/** What has been decided: goals before guardrails, the surest first. */
export const decidedPairs = (scorecard: Scorecard, isPlannedEnd: boolean): ReadonlyArray<Pair> =>
  pairsOf(scorecard)
    .filter(isDecided)
    .toSorted(
      (one, other) =>
        goalsFirst(one, other) ||
        (decidingP(one.comparison, isPlannedEnd) ?? 1) - (decidingP(other.comparison, isPlannedEnd) ?? 1)
    )

/** The goal, or else the guardrail, that leans the most to one side. */
export const strongestPair = (scorecard: Scorecard): Pair | undefined =>
  pairsOf(scorecard)
    .filter(({ comparison }) => comparison.relative !== null && comparison.bayesian.chanceToWin !== null)
    .toSorted((one, other) => goalsFirst(one, other) || strengthOf(other) - strengthOf(one))[0]

/** Whether the experiment is over without anything decided that could still come. */
export const isOver = (experiment: Experiment, scorecard: Scorecard): boolean =>
  !isOpen(experiment) || isAtPlannedEnd(experiment, scorecard)
