/** Both ends of a confidence or credible interval; an end may be infinite when the question is one-sided. */
export type Interval = readonly [low: number, high: number]

/** What the alternative says of the effect: it differs from 0, is greater, or is lesser. */
export type Alternative = "different" | "greater" | "lesser"

export const around = (estimate: number, halfWidth: number, alternative: Alternative): Interval => [
  alternative === "lesser" ? -Infinity : estimate - halfWidth,
  alternative === "greater" ? Infinity : estimate + halfWidth
]
