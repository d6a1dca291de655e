import type { Method } from "../ExperimentState.ts"
import type { Comparison } from "../ExperimentQueries.ts"
import { chanceText, pText } from "./Words.ts"

/** The three ways to read a scorecard, side by side. */
export const methods: ReadonlyArray<readonly [method: Method, label: string]> = [
  ["bayesian", "Chance to win"],
  ["sequential", "Always valid"],
  ["fixed", "Fixed horizon"]
]

/** What a method shows, and when to trust it. */
export const trust: Readonly<Record<Method, string>> = {
  bayesian:
    "The shape shows where the true change probably lies; the bar holds 95 % of it. Read it as a bet at any time, and wait for a verdict before you decide: early chances jump.",
  sequential:
    "These intervals stay right however often you look, so you may decide on any day. They are wider: that is the price of looking.",
  fixed:
    "The textbook test. It is right once, at the planned end, and wrong for who looks every day and stops when it pleases."
}

/** What the numbers of a method are called in the scorecard. */
export const measureName: Readonly<Record<Method, string>> = {
  bayesian: "Chance to win",
  sequential: "p-value",
  fixed: "p, corrected"
}

/** The 95 % interval of the relative change; null where nothing can be said. */
export const intervalOf = (method: Method, comparison: Comparison): readonly [number, number] | null => {
  switch (method) {
    case "bayesian":
      return comparison.bayesian.interval
    case "sequential":
      return comparison.sequential.interval
    case "fixed":
      return comparison.frequentist.interval
  }
}

export const measureText = (method: Method, comparison: Comparison): string => {
  switch (method) {
    case "bayesian":
      return chanceText(comparison.bayesian.chanceToWin)
    case "sequential":
      return pText(comparison.sequential.pValue)
    case "fixed":
      return pText(comparison.frequentist.adjustedPValue)
  }
}

/** Ends of the scale that the page offers, as shares of the control's value. */
const ends = [0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.75, 1, 1.5, 2]

/** The end of the one scale on which all changes are drawn: the first that holds every interval, with a little room. */
export const scaleEnd = (intervals: ReadonlyArray<readonly [number, number] | null>): number => {
  const farthest = Math.max(0, ...intervals.flatMap((interval) => (interval === null ? [] : interval.map(Math.abs))))
  return ends.find((end) => end >= farthest * 1.1) ?? 2
}
