import type { MetricComparison, MetricResult, Scorecard } from "../../schema/experiments/Scorecard.ts"

/** Words for an experiment that goes on, and for one that is over and collects nothing more. */
const isOver = ({ status }: Pick<Scorecard, "status">): boolean => status === "terminated" || status === "completed"

/** Why the groups cannot be compared, where they cannot: their sizes, or players who were in several. */
const flawOf = ({ srm, multipleExposure: { share } }: Scorecard): string =>
  srm.verdict === "unhealthy"
    ? "players were not divided as the weights say"
    : `${(share * 100).toFixed(1)} % of the players saw more than one group`

const verdictWords = (
  scorecard: Scorecard,
  isEnded: boolean
): Readonly<Record<MetricComparison["verdict"], string>> => ({
  collecting: isEnded
    ? "undecided: it ended with too few players or days to say anything"
    : "still collecting: there are too few players or days to say anything",
  unhealthy: `not to be trusted: ${flawOf(scorecard)}`,
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
const evidenceOf = ({ status }: Pick<Scorecard, "status">, { frequentist, sequential }: MetricComparison) =>
  status === "completed"
    ? { interval: frequentist.interval, pValue: frequentist.adjustedPValue, called: "adjusted p" }
    : { interval: sequential.interval, pValue: sequential.pValue, called: "always valid p" }

const effect = (scorecard: Scorecard, comparison: MetricComparison): string => {
  const { relative } = comparison
  if (relative === null) return ""
  const { interval, pValue, called } = evidenceOf(scorecard, comparison)
  const bounds = interval === null ? "" : `, interval ${percent(interval[0])} to ${percent(interval[1])}`
  const chance = pValue === null ? "" : `, ${called} ${pValue.toPrecision(2)}`
  return ` (${percent(relative)}${bounds}${chance})`
}

const nameOf = ({ groups }: Scorecard, wanted: number): string =>
  groups.find(({ groupId }) => groupId === wanted)?.name ?? `group ${wanted}`

const metricWords = (scorecard: Scorecard, metric: MetricResult): ReadonlyArray<string> => {
  const title = `${metric.role === "goal" ? "Goal" : "Guardrail"} "${metric.name}"`
  const isEnded = isOver(scorecard)
  if (metric.comparisons.length === 0) return [`${title}: nothing to compare${isEnded ? "" : " yet"}.`]
  const verdicts = verdictWords(scorecard, isEnded)
  return metric.comparisons.map(
    (each) => `${title}: "${nameOf(scorecard, each.groupId)}" is ${verdicts[each.verdict]}${effect(scorecard, each)}.`
  )
}

const verdictOf = (scorecard: Scorecard): string => {
  const { metrics, srm } = scorecard
  const isEnded = isOver(scorecard)
  const all = metrics.flatMap(({ role, comparisons }) => comparisons.map(({ verdict }) => ({ role, verdict })))
  const has = (wanted: MetricComparison["verdict"], role?: MetricResult["role"]) =>
    all.some((each) => each.verdict === wanted && (role === undefined || each.role === role))
  if (all.length === 0) return `No metric can be compared${isEnded ? "" : " yet"}, so there is no verdict.`
  if (srm.verdict === "unhealthy" || has("unhealthy")) {
    return `Do not trust the results: ${flawOf(scorecard)}. Find out why before anything is decided.`
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

/** What an experiment has shown, in plain sentences: the verdict over all metrics first, then what it rests on. */
export const experimentWords = (name: string, scorecard: Scorecard): string => {
  const { status, schedule, power } = scorecard
  const isEnded = isOver(scorecard)
  const togo = isEnded ? [] : power.metrics.flatMap(({ daysToGo }) => daysToGo ?? [])
  const days = schedule.daysElapsed.toFixed(1)
  return [
    isEnded ? `"${name}" is over: it ran for ${days} days.` : `"${name}" is ${status}, for ${days} days so far.`,
    `Verdict: ${verdictOf(scorecard)}`,
    ...scorecard.metrics.flatMap((metric) => metricWords(scorecard, metric)),
    `Players seen: ${exposureWords(scorecard)}. ${divisions[scorecard.srm.verdict]}`,
    ...(togo.length === 0 ? [] : [`At this pace the metrics need up to ${Math.max(...togo)} days more.`])
  ].join("\n")
}
