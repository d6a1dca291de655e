import type { Answer } from "../api/Wire.ts"

type Comparison = Answer<"experiments.results">["metrics"][number]["comparisons"][number]

/** The part of the results that the word depends on. */
interface Shown {
  readonly metrics: ReadonlyArray<{
    readonly role: "goal" | "guardrail"
    readonly comparisons: ReadonlyArray<Pick<Comparison, "verdict">>
  }>
  readonly srm: { readonly verdict: Answer<"experiments.results">["srm"]["verdict"] }
}

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

/** The one word over all metrics: a guardrail that loses makes the experiment lose, whatever its goals do. */
export const outcomeOf = ({ metrics, srm }: Shown): Outcome => {
  const all = metrics.flatMap(({ role, comparisons }) => comparisons.map(({ verdict }) => ({ role, verdict })))
  const has = (wanted: Comparison["verdict"], of?: "goal" | "guardrail") =>
    all.some(({ role, verdict }) => verdict === wanted && (of === undefined || role === of))
  if (all.length === 0) return "noGoal"
  if (srm.verdict === "unhealthy" || has("unhealthy")) return "unhealthy"
  if (has("losing", "guardrail")) return "losing"
  const [wins, loses] = [has("winning", "goal"), has("losing", "goal")]
  if (wins || loses) return wins && loses ? "mixed" : wins ? "winning" : "losing"
  return all.every(({ verdict }) => verdict === "collecting") ? "collecting" : "inconclusive"
}
