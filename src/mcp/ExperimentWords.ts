import type { ExperimentRecord } from "../../schema/experiments/ExperimentRecord.ts"
import type { MetricComparison, MetricResult, Scorecard } from "../../schema/experiments/Scorecard.ts"
import { unitsWord } from "../web/experiments/ExperimentWords.ts"

/** What is explained: an experiment, and what of it was asked for. */
export interface Explained extends Pick<ExperimentRecord, "name" | "unitType"> {
  /** How often its goals compare a group with the control. */
  readonly goalComparisons: number
  /** Whether all metrics were asked for, or one alone. */
  readonly isWhole: boolean
  /** Whether the time that was asked about reaches the planned end, so that the fixed horizon decides. */
  readonly isPlannedEnd: boolean
}

/** Words for an experiment that goes on, and for one that is over and collects nothing more. */
const isOver = ({ status }: Pick<Scorecard, "status">): boolean => status === "terminated" || status === "completed"

/** Why the groups cannot be compared, where they cannot: their sizes, or units that were in several. */
const flawOf = (explained: Explained, { srm, multipleExposure: { share } }: Scorecard): string =>
  srm.verdict === "unhealthy"
    ? `${unitsWord(explained)} were not divided as the weights say`
    : `${(share * 100).toFixed(1)} % of the ${unitsWord(explained)} saw more than one group`

const verdictWords = (
  explained: Explained,
  scorecard: Scorecard,
  isEnded: boolean
): Readonly<Record<MetricComparison["verdict"], string>> => ({
  collecting: isEnded
    ? `undecided: it ended with too few ${unitsWord(explained)} or days to say anything`
    : `still collecting: there are too few ${unitsWord(explained)} or days to say anything`,
  unhealthy: `not to be trusted: ${flawOf(explained, scorecard)}`,
  winning: "winning against the control",
  losing: "losing against the control",
  inconclusive: isEnded ? "not distinguishable from the control" : "not distinguishable from the control so far"
})

const divisions: Readonly<Record<Scorecard["srm"]["verdict"], string>> = {
  insufficient: "They are too few to tell whether they were divided as the weights say.",
  healthy: "They were divided as the weights say.",
  warning: "They may not have been divided as the weights say.",
  unhealthy: "They were not divided as the weights say."
}

const percent = (share: number): string => `${share > 0 ? "+" : ""}${(share * 100).toFixed(1)} %`

/**
 * The interval and the p-value that the verdict goes by: those that hold however often one looks, and those of the fixed horizon once the planned end
 * is reached. Before it the latter would tell of winners that are none.
 */
const evidenceOf = ({ isPlannedEnd }: Explained, { frequentist, sequential }: MetricComparison) =>
  isPlannedEnd
    ? { interval: frequentist.interval, pValue: frequentist.adjustedPValue, called: "adjusted p" }
    : { interval: sequential.interval, pValue: sequential.pValue, called: "always valid p" }

/** Whether the verdict goes by a stricter p-value than the one that is told, since the goals compare several times. */
const isCorrected = ({ goalComparisons, isPlannedEnd }: Explained, { role }: MetricResult): boolean =>
  !isPlannedEnd && role === "goal" && goalComparisons > 1

const effect = (
  explained: Explained,
  scorecard: Scorecard,
  metric: MetricResult,
  comparison: MetricComparison
): string => {
  const { relative, verdict } = comparison
  if (relative === null) return ""
  const { interval, pValue, called } = evidenceOf(explained, comparison)
  const bounds = interval === null ? "" : `, interval ${percent(interval[0])} to ${percent(interval[1])}`
  const isStrict = isCorrected(explained, metric)
  const before = isStrict ? " before the correction for several comparisons" : ""
  const chance = pValue === null ? "" : `, ${called} ${pValue.toPrecision(2)}${before}`
  const isUndone = isStrict && verdict === "inconclusive" && pValue !== null && pValue <= scorecard.power.alpha
  return ` (${percent(relative)}${bounds}${chance}${isUndone ? ", after which it may be chance" : ""})`
}

const nameOf = ({ groups }: Scorecard, wanted: number): string =>
  groups.find(({ groupId }) => groupId === wanted)?.name ?? `group ${wanted}`

const metricWords = (explained: Explained, scorecard: Scorecard, metric: MetricResult): ReadonlyArray<string> => {
  const title = `${metric.role === "goal" ? "Goal" : "Guardrail"} "${metric.name}"`
  const isEnded = isOver(scorecard)
  if (metric.comparisons.length === 0) return [`${title}: nothing to compare${isEnded ? "" : " yet"}.`]
  const verdicts = verdictWords(explained, scorecard, isEnded)
  return metric.comparisons.map(
    (each) =>
      `${title}: "${nameOf(scorecard, each.groupId)}" is ${verdicts[each.verdict]}${effect(explained, scorecard, metric, each)}.`
  )
}

const verdictOf = (explained: Explained, scorecard: Scorecard): string => {
  const { metrics, srm } = scorecard
  const isEnded = isOver(scorecard)
  const all = metrics.flatMap(({ role, comparisons }) => comparisons.map(({ verdict }) => ({ role, verdict })))
  const has = (wanted: MetricComparison["verdict"], role?: MetricResult["role"]) =>
    all.some((each) => each.verdict === wanted && (role === undefined || each.role === role))
  if (all.length === 0) return `No metric can be compared${isEnded ? "" : " yet"}, so there is no verdict.`
  if (srm.verdict === "unhealthy" || has("unhealthy")) {
    return `Do not trust the results: ${flawOf(explained, scorecard)}. Find out why before anything is decided.`
  }
  if (has("losing", "guardrail")) return "Losing: a guardrail gets worse, whatever the goals do."
  if (has("winning", "goal"))
    return has("losing", "goal")
      ? "Mixed: a goal wins and a goal loses."
      : "Winning: a goal gets better and no guardrail gets worse."
  if (has("losing", "goal")) return "Losing: a goal gets worse."
  if (all.every(({ verdict }) => verdict === "collecting"))
    return isEnded
      ? "Undecided: it ended before anything could be said."
      : "Still collecting: it is too early to say anything."
  return `Not clear${isEnded ? "" : " yet"}: no difference can be told from chance.`
}

const exposureWords = (scorecard: Scorecard): string =>
  scorecard.exposures.map(({ groupId, units }) => `"${nameOf(scorecard, groupId)}" ${units}`).join(", ")

const isDecided = ({ metrics }: Scorecard): boolean =>
  metrics.some(({ comparisons }) => comparisons.some(({ verdict }) => verdict === "winning" || verdict === "losing"))

/** How long it may take until something shows, where nothing has yet. */
const paceWords = (scorecard: Scorecard): ReadonlyArray<string> => {
  const days = scorecard.power.metrics.flatMap(({ daysToGo }) => (daysToGo ? [daysToGo] : []))
  return isOver(scorecard) || isDecided(scorecard) || days.length === 0
    ? []
    : [`At this pace the largest change seen so far takes about ${Math.min(...days)} days more to be found.`]
}

/** What an experiment has shown, in plain sentences: the verdict over all metrics first, then what it rests on. */
export const experimentWords = (explained: Explained, scorecard: Scorecard): string => {
  const { status, schedule } = scorecard
  const { name, isWhole } = explained
  const days = schedule.daysElapsed.toFixed(1)
  const units = unitsWord(explained)
  return [
    isOver(scorecard)
      ? `"${name}" is over: it ran for ${days} days.`
      : `"${name}" is ${status}, for ${days} days so far.`,
    `Verdict${isWhole ? "" : " of this metric alone"}: ${verdictOf(explained, scorecard)}`,
    ...scorecard.metrics.flatMap((metric) => metricWords(explained, scorecard, metric)),
    `${units.charAt(0).toUpperCase()}${units.slice(1)} seen: ${exposureWords(scorecard)}. ${divisions[scorecard.srm.verdict]}`,
    ...paceWords(scorecard)
  ].join("\n")
}
