import type { Answer } from "../api/Wire.ts"

type Comparison = Answer<"experiments.results">["metrics"][number]["comparisons"][number]

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

interface Judged {
  readonly role: "goal" | "guardrail"
  readonly verdict: Comparison["verdict"]
}

/** What the results say of each metric and group, and whether the groups have the players that they should have. */
export const judgedIn = ({ metrics, srm }: Shown) => ({
  fair: srm.verdict !== "unhealthy",
  verdicts: metrics.flatMap(({ role, comparisons }) => comparisons.map(({ verdict }) => ({ role, verdict })))
})

/** The one word over all metrics: a guardrail that loses makes the experiment lose, whatever its goals do. */
export const outcomeOf = ({
  fair,
  verdicts
}: {
  readonly fair: boolean
  readonly verdicts: ReadonlyArray<Judged>
}): Outcome => {
  const has = (wanted: Judged["verdict"], of?: Judged["role"]) =>
    verdicts.some(({ role, verdict }) => verdict === wanted && (of === undefined || role === of))
  if (verdicts.length === 0) return "noGoal"
  if (!fair || has("unhealthy")) return "unhealthy"
  if (has("losing", "guardrail")) return "losing"
  const [wins, loses] = [has("winning", "goal"), has("losing", "goal")]
  if (wins || loses) return wins && loses ? "mixed" : wins ? "winning" : "losing"
  return verdicts.every(({ verdict }) => verdict === "collecting") ? "collecting" : "inconclusive"
}
