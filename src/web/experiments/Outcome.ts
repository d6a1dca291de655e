import type { Answer } from "../api/Wire.ts"

type Shown = Pick<Answer<"experiments.results">, "metrics" | "srm">

/** What an experiment has shown, in one word for a list. */
export type Outcome = "noGoal" | "collecting" | "unhealthy" | "winning" | "losing" | "mixed" | "inconclusive"

export const outcomeWords: Readonly<Record<Outcome, string>> = {
  noGoal: "No goal",
  collecting: "Collecting",
  unhealthy: "Do not trust",
  winning: "Winning",
  losing: "Losing",
  mixed: "Mixed",
  inconclusive: "Not clear yet"
}

/** The one verdict over all metrics: a guardrail that loses makes the experiment lose, whatever its goals do. */
export const outcomeOf = ({ metrics, srm }: Shown): Outcome => {
  const all = metrics.flatMap(({ role, comparisons }) => comparisons.map(({ verdict }) => ({ role, verdict })))
  const has = (wanted: (typeof all)[number]["verdict"]) => all.some(({ verdict }) => verdict === wanted)
  if (all.length === 0) return "noGoal"
  if (srm.verdict === "unhealthy" || has("unhealthy")) return "unhealthy"
  if (all.some(({ role, verdict }) => role === "guardrail" && verdict === "losing")) return "losing"
  const [wins, loses] = (["winning", "losing"] as const).map((wanted) =>
    all.some(({ role, verdict }) => role === "goal" && verdict === wanted)
  )
  if (wins === true && loses === true) return "mixed"
  if (wins === true) return "winning"
  if (loses === true) return "losing"
  return all.every(({ verdict }) => verdict === "collecting") ? "collecting" : "inconclusive"
}
