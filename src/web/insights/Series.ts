import type { Answer } from "../api/Wire.ts"
import type { Question } from "./Question.ts"
import { letterOf } from "./Question.ts"
import { metricWords } from "./Ask.ts"

export interface ShownSeries {
  /** The same for the same metric and group, whatever its rank. */
  readonly key: string
  readonly name: string
  /** 0 to 7; null for what has no colour of its own. */
  readonly color: number | null
  readonly values: ReadonlyArray<number | null>
  readonly aggregate: number | null
  /** Values of the period before, where they are asked for and it has any. */
  readonly before: { readonly values: ReadonlyArray<number | null>; readonly aggregate: number | null } | null
  readonly isHidden: boolean
}

type Series = Answer<"queries.insights">["series"][number]

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

/** Series as they are drawn. `known` remembers colours, so that a series keeps its own when its rank changes. */
export const shownSeries = (
  answer: Answer<"queries.insights">,
  question: Question,
  known: Map<string, number>
): ReadonlyArray<ShownSeries> =>
  answer.series.map((series) => {
    const key = [series.metricId, ...series.breakdown.map(({ value }) => String(value))].join(" ")
    const isOther = series.breakdown.some(({ value }) => value === "Other")
    if (!isOther && !known.has(key)) known.set(key, known.size)
    const color = known.get(key)
    const before = series.compare
    const hasBefore = before !== undefined && before.values.some((value) => value !== null && value !== 0)
    return {
      key,
      name: nameOf(series, question),
      color: color === undefined || color >= colors ? null : color,
      values: series.values,
      aggregate: series.aggregate,
      before: hasBefore ? { values: before.values, aggregate: before.aggregate } : null,
      isHidden: question.hidden.includes(key)
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
