import type { DrawnSeries } from "../charts/DrawnSeries.ts"
import type { Answer } from "../api/Wire.ts"
import type { Question } from "./Question.ts"
import { letterOf } from "./Question.ts"
import type { MeasureName } from "../builder/Measures.ts"
import { metricWords } from "./Ask.ts"

type Series = Answer<"queries.insights">["series"][number]

export interface ShownSeries extends DrawnSeries {
  /** The metric that its numbers can be asked about; null for a formula, which counts no players itself. */
  readonly metric: { readonly id: string; readonly measure: MeasureName } | null
  /** The group, as the server takes it back. */
  readonly breakdown: Series["breakdown"] | "other"
  /** The group's value where there is one breakdown: null is not set; undefined where there is no group of its own. */
  readonly group: Series["breakdown"][number]["value"] | undefined
}

const groupOf = ({ breakdown }: Series): string =>
  breakdown.map(({ value }) => (value === null ? "not set" : value === "" ? "empty" : String(value))).join(" · ")

const nameOf = (series: Series, question: Question): string => {
  const index = question.metrics.findIndex((_, each) => letterOf(each) === series.metricId)
  const metric = question.metrics[index]
  const formula = question.formulas[Number(series.metricId.replace("formula_", "")) - 1]
  const own = metric === undefined ? (formula ?? series.metricId) : metricWords(metric)
  const group = groupOf(series)
  if (group === "") return own
  return question.metrics.length + question.formulas.length > 1 ? `${own} · ${group}` : group
}

const colors = 8

/** A group may be called Other too: it comes before the one that merges the rest. */
const chosenOf = (
  all: ReadonlyArray<Series>,
  { metricId, breakdown }: Series,
  index: number
): ShownSeries["breakdown"] => {
  const told = JSON.stringify(breakdown)
  const isSecond = all
    .slice(0, index)
    .some((other) => other.metricId === metricId && JSON.stringify(other.breakdown) === told)
  return isSecond ? "other" : breakdown
}

/** Series as they are drawn. `known` remembers colours, so that a series keeps its own when its rank changes. */
export const shownSeries = (
  answer: Answer<"queries.insights">,
  question: Question,
  known: Map<string, number>
): ReadonlyArray<ShownSeries> =>
  answer.series.map((series, index) => {
    const key = [series.metricId, ...series.breakdown.map(({ value }) => String(value))].join(" ")
    const isOther = series.breakdown.some(({ value }) => value === "Other")
    if (!isOther && !known.has(key)) known.set(key, known.size)
    const color = known.get(key)
    const before = series.compare
    const hasBefore = before !== undefined && before.values.some((value) => value !== null && value !== 0)
    const metric = question.metrics.find((_, each) => letterOf(each) === series.metricId)
    return {
      key,
      name: nameOf(series, question),
      color: color === undefined || color >= colors ? null : color,
      values: series.values,
      aggregate: series.aggregate,
      before: hasBefore ? { values: before.values, aggregate: before.aggregate } : null,
      isHidden: question.hidden.includes(key),
      metric: metric === undefined ? null : { id: series.metricId, measure: metric.measure },
      breakdown: chosenOf(answer.series, series, index),
      group: isOther ? undefined : series.breakdown[0]?.value
    }
  })

/** The last and the highest value among buckets that are over. */
export const finishedValues = ({ values }: ShownSeries, complete: ReadonlyArray<boolean>) => {
  const finished = values.filter((value, index): value is number => value !== null && complete[index] === true)
  return {
    last: values[complete.lastIndexOf(true)] ?? null,
    highest: finished.length === 0 ? null : finished.reduce((highest, value) => Math.max(highest, value))
  }
}
