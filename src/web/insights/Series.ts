import type { DrawnSeries } from "../charts/DrawnSeries.ts"
import type { Answer } from "../api/Wire.ts"
import type { InsightDraft } from "./Question.ts"
import { chosenGroup, colorsOf, groupNames, isOther } from "../builder/Breakdown.ts"
import { letterOf } from "./Question.ts"
import type { MeasureName } from "../builder/Measures.ts"
import { formulaWords, metricWords } from "./Ask.ts"

type Series = Answer<"queries.insights">["series"][number]

export interface ShownSeries extends DrawnSeries {
  /** The metric that its numbers can be asked about; null for a formula, which counts no players itself. */
  readonly metric: { readonly id: string; readonly measure: MeasureName } | null
  /** The group, as the server takes it back. */
  readonly breakdown: Series["breakdown"] | "other"
  /** The group's value where there is one breakdown: null is not set; undefined where there is no group of its own. */
  readonly group: Series["breakdown"][number]["value"] | undefined
}

/** Names of the metrics by the ids that the page gives them. */
const namesOf = ({ metrics, formulas }: InsightDraft): ReadonlyMap<string, string> =>
  new Map([
    ...metrics.map((metric, index) => [letterOf(index), metricWords(metric)] as const),
    ...formulas.map((formula, index) => [`formula_${index + 1}`, formulaWords(formula)] as const)
  ])

/** Whether all series are of one metric, so that groups are parts of one whole and need no other name. */
export const isOfOneMetric = ({ series }: Answer<"queries.insights">): boolean =>
  new Set(series.map(({ metricId }) => metricId)).size <= 1

/** How the server is told the group of a series, among those of the same metric. */
const chosenOf = (all: ReadonlyArray<Series>, series: Series): ShownSeries["breakdown"] => {
  const own = all.filter(({ metricId }) => metricId === series.metricId)
  return chosenGroup(
    own.map(({ breakdown }) => breakdown),
    own.indexOf(series)
  )
}

const words: ReadonlySet<string> = new Set(["null", "true", "false"])

/** Whether a text reads like a value that is none, or like one that is quoted here. */
const isMistakable = (text: string): boolean => words.has(text) || String(Number(text)) === text || text.startsWith('"')

/** Names a series in the address: no two series of an answer have the same. */
export const keyOf = ({ metricId, breakdown }: Pick<Series, "metricId" | "breakdown">): string => {
  // A space within a value could be one between two of them.
  const isSpaced = (text: string) => breakdown.length > 1 && text.includes(" ")
  const parts = breakdown.map(({ value }) =>
    typeof value === "string" && (isMistakable(value) || isSpaced(value)) ? JSON.stringify(value) : String(value)
  )
  return [metricId, ...parts].join(" ")
}

/**
 * Series as they are drawn. `known` remembers colours, so that a series keeps its own when its rank changes; `names` are those of the
 * metrics, where the ids are not those of the page.
 */
export const shownSeries = (
  answer: Answer<"queries.insights">,
  question: InsightDraft,
  known: Map<string, number>,
  names = namesOf(question)
): ReadonlyArray<ShownSeries> => {
  const isOnly = isOfOneMetric(answer)
  const colors = colorsOf(
    known,
    answer.series.map((series) => ({ key: keyOf(series), breakdown: series.breakdown }))
  )
  const groups = groupNames(answer.series.map(({ breakdown }) => breakdown))
  return answer.series.map((series, index) => {
    const key = keyOf(series)
    const [own, group] = [names.get(series.metricId) ?? series.metricId, groups[index] ?? ""]
    const before = series.compare
    const hasBefore = before !== undefined && before.values.some((value) => value !== null && value !== 0)
    const metric = question.metrics.find((_, each) => letterOf(each) === series.metricId)
    return {
      key,
      name: group === "" ? own : isOnly ? group : `${own} · ${group}`,
      color: colors[index] ?? null,
      values: series.values,
      aggregate: series.aggregate,
      before: hasBefore ? { values: before.values, aggregate: before.aggregate } : null,
      isHidden: question.hidden.includes(key),
      metric: metric === undefined ? null : { id: series.metricId, measure: metric.measure },
      breakdown: chosenOf(answer.series, series),
      group: isOther(series.breakdown) ? undefined : series.breakdown[0]?.value
    }
  })
}

/** Series that have to share the grey of the rest, as there are no more looks to tell them apart by. */
export const greySeries = (series: ReadonlyArray<ShownSeries>): ReadonlyArray<ShownSeries> =>
  series.filter(({ color, breakdown }) => color === null && breakdown !== "other" && !isOther(breakdown))

/** The last and the highest value among buckets that are over. */
export const finishedValues = ({ values }: ShownSeries, complete: ReadonlyArray<boolean>) => {
  const finished = values.filter((value, index): value is number => value !== null && complete[index] === true)
  return {
    last: values[complete.lastIndexOf(true)] ?? null,
    highest: finished.length === 0 ? null : finished.reduce((highest, value) => Math.max(highest, value))
  }
}
