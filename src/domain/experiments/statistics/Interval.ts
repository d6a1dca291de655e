/** The two ends of a confidence or credible interval; one end is infinite for a one-sided question. */
export type Interval = readonly [low: number, high: number]

/** What the alternative hypothesis says about the effect: it differs from 0, is greater, or is smaller. */
export type Alternative = "different" | "greater" | "lesser"

/** The interval around an estimate; one-sided alternatives leave one end infinite. */
export const around = (estimate: number, halfWidth: number, alternative: Alternative): Interval => [
  alternative === "lesser" ? -Infinity : estimate - halfWidth,
  alternative === "greater" ? Infinity : estimate + halfWidth
]
