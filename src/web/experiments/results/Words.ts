import { countText, numberText, percentText } from "../../text/Numbers.ts"
import type { Comparison, MetricResult } from "../ExperimentQueries.ts"
import type { Counting } from "../ExperimentState.ts"
import type { Experiment } from "../ExperimentWords.ts"

/** A sentence in parts; names of groups and metrics stand out in it. */
export type Sentence = ReadonlyArray<string | { readonly name: string }>

export const plainText = (sentence: Sentence): string =>
  sentence.map((part) => (typeof part === "string" ? part : part.name)).join("")

/** What a group is called; groups that were removed from the record keep their number. */
export const groupName = ({ groups }: Pick<Experiment, "groups">, groupId: number): string => {
  const group = groups.find(({ id }) => id === groupId)
  return group === undefined ? `Group ${groupId}` : (group.label ?? group.name)
}

export const controlOf = ({ groups }: Pick<Experiment, "groups">) =>
  groups.find(({ isControl }) => isControl) ?? groups[0]

/** A name in the middle of a sentence: lower case, but for abbreviations such as ARPU. */
export const inSentence = (name: string): string =>
  /^\p{Lu}(?!\p{Lu})/u.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name

const isShare = ({ type }: Pick<MetricResult, "type">): boolean => type !== "mean" && type !== "ratio"

/** A group's value of a metric: percent where players either do it or do not. */
export const valueText = (metric: Pick<MetricResult, "type">, value: number | null | undefined, digits = 1): string => {
  if (value === null || value === undefined) return "–"
  return isShare(metric) ? percentText(value * 100, digits) : numberText(value)
}

/** Two values of a metric with as many digits as it takes to tell them apart. */
export const valueTexts = (
  metric: Pick<MetricResult, "type">,
  one: number | null,
  other: number | null
): readonly [string, string] => {
  const texts = [valueText(metric, one), valueText(metric, other)] as const
  return texts[0] === texts[1] ? [valueText(metric, one, 2), valueText(metric, other, 2)] : texts
}

/** A p-value with two significant digits. */
export const pText = (p: number | null): string => {
  if (p === null) return "–"
  if (p < 0.0001) return "< 0.0001"
  return p >= 0.1 ? p.toFixed(2) : p.toPrecision(2)
}

/** `p = 0.0016`, `p < 0.0001`. */
export const pWords = (p: number | null): string => {
  const text = pText(p)
  return text.startsWith("<") ? `p ${text}` : `p = ${text}`
}

export const chanceText = (chance: number | null): string => {
  if (chance === null) return "–"
  if (chance < 0.01) return "< 1 %"
  return chance > 0.99 ? "> 99 %" : percentText(chance * 100, 0)
}

/** The size of a relative effect, without its sign. */
export const sizeText = (relative: number): string => {
  const percent = Math.abs(relative * 100)
  return percentText(percent, percent < 10 ? 1 : 0)
}

/** What becomes of the players, or whatever `unit` names, that saw two groups. */
export const mixedText = (
  units: number,
  multipleExposure: Counting["multipleExposure"],
  unit: string = "player"
): string => {
  if (units === 0) return unit === "player" ? "Nobody saw two groups" : `No ${unit} saw two groups`
  const those = `${countText(units, unit)} saw two groups and`
  if (multipleExposure === "exclude") return `${those} ${units === 1 ? "is" : "are"} left out`
  return `${those} ${units === 1 ? "counts" : "count"} for the first`
}

/** Days that a result still takes. */
export const paceText = (days: number): string =>
  days > 365 ? "more than another year" : `about ${countText(days, "more day", "more days")}`

/** What a verdict is called: once the experiment is over, nothing is still to come. */
export const verdictWord = (verdict: Comparison["verdict"], isOver: boolean): string => {
  switch (verdict) {
    case "winning":
      return isOver ? "Better" : "Winning"
    case "losing":
      return isOver ? "Worse" : "Losing"
    case "unhealthy":
      return "Do not trust"
    case "collecting":
      return isOver ? "Too few" : "Collecting"
    case "inconclusive":
      return isOver ? "Not clear" : "Not clear yet"
  }
}

/** Where a change shows before there is a verdict: the always valid interval holds no 0. */
export const leans = ({ sequential: { interval } }: Comparison): boolean =>
  interval !== null && (interval[0] > 0 || interval[1] < 0)
