import type { MetricResult } from "../ExperimentQueries.ts"
import type { Counting, Method } from "../ExperimentState.ts"

/** A step of a computation: its name, its formula in words, and where the formula comes from. */
export interface Formula {
  readonly name: string
  readonly text: string
}

const values: Readonly<Record<MetricResult["type"], string>> = {
  proportion: "Each player counts 1 or 0: did the marker after the first exposure, or did not. Variance p(1 − p).",
  retention:
    "Each player counts 1 or 0: came back that many days after the first exposure, or did not. Variance p(1 − p). Who cannot have come back yet is left out.",
  funnel:
    "Each player counts 1 or 0: reached the last step of the saved funnel after the first exposure, or did not. Variance p(1 − p).",
  mean: "Each player's number of markers, or sum of an argument, after the first exposure. Mean Σx/n, variance (Σx² − (Σx)²/n)/(n − 1).",
  ratio: "Sum over sum, and its variance by the delta method, because both sums belong to the same players."
}

const priors: Readonly<Record<Counting["prior"], string>> = {
  flat: "a flat prior",
  normal: "a normal prior around no change (standard deviation 30 %)"
}

const corrections: Readonly<Record<Counting["correction"], string>> = {
  holm: "p-values of all goals and groups are corrected together by Holm's method before they decide: one false winner among all is rare.",
  benjaminiHochberg:
    "p-values of all goals and groups are corrected together by the method of Benjamini and Hochberg before they decide: few of the winners are false."
}

const methodsOf = ({ prior }: Counting): Readonly<Record<Method, Formula>> => ({
  bayesian: {
    name: "Chance to win",
    text: `A normal posterior of the relative change, from ${priors[prior]}: chance to win Φ(mean/sd), 95 % credible interval mean ± 1.96 sd, risk as the expected loss.`
  },
  sequential: {
    name: "Always valid interval",
    text: "An asymptotic confidence sequence: half-width se·√(2(Nρ² + 1)/(Nρ²) · ln(√(Nρ² + 1)/α)), tightest at 5,000 players. Waudby-Smith et al., arXiv:2103.06476."
  },
  fixed: {
    name: "Fixed horizon",
    text: "Welch's t-test with Welch–Satterthwaite degrees of freedom, two-sided, effect ± t(1 − α/2)·se."
  }
})

/** How the numbers of a metric are computed by a method. */
export const formulasOf = (
  { type, role }: Pick<MetricResult, "type" | "role">,
  method: Method,
  counting: Counting
): ReadonlyArray<Formula> => [
  {
    name: "Who counts",
    text: `Players who have seen their group, with what they did from that moment on. Who saw two groups ${
      counting.multipleExposure === "first" ? "counts for the first one" : "is left out"
    }.`
  },
  { name: "Value", text: values[type] },
  {
    name: "Change",
    text: "(b − a)/|a|, variance v(b)/(n(b)·a²) + v(a)·b²/(n(a)·a⁴), where a is the control."
  },
  methodsOf(counting)[method],
  {
    name: "With earlier data (CUPED)",
    text: "The value minus θ times what the player did in the 14 days before, which removes noise that was there already. Used with more than 100 players of whom more than 5 % have such data. Deng et al. 2013."
  },
  {
    name: "Correction",
    text:
      role === "goal" ? corrections[counting.correction] : "A guardrail is not corrected, so that harm is seen early."
  },
  {
    name: "Verdict",
    text: "From 100 players in each group and 7 days on: winning or losing when the corrected always valid p is at most 0.05, or at the planned end that of the fixed horizon. Not while the split is broken (chi-square, p < 0.001) or more than 10 % of the players saw two groups."
  }
]
