import { breakdownBody } from "../builder/Breakdown.ts"
import { filteringBody, filteringWords } from "../builder/Filters.ts"
import { measures, needsArgument } from "../builder/Measures.ts"
import { periodWords, stepFor, timeBody } from "../builder/Period.ts"
import type { BodyOf } from "../api/Endpoints.ts"
import type { FormulaState, MetricState, InsightDraft } from "./Question.ts"
import { letterOf } from "./Question.ts"

const dataOf = (metric: MetricState) => {
  const { measure, argument } = metric
  const isFiltered = metric.filters.length > 0 || metric.match === "any"
  const own = { name: metric.marker, ...(isFiltered ? filteringBody(metric) : {}) }
  return needsArgument(measure) ? { type: measure, ...own, argument } : { type: measure, ...own }
}

/** Whether the metric can be asked: a measure of an argument names one. */
const isAskable = ({ measure, argument }: MetricState): boolean => !needsArgument(measure) || argument !== ""

/** The question as the API takes it; null while a part of it is missing. */
export const insightBody = (
  question: InsightDraft,
  timeZone: string,
  now?: string
): BodyOf<"queries.insights"> | null => {
  const metrics = question.metrics.map((metric, index) => ({
    id: letterOf(index),
    ...(metric.isShown ? {} : { visible: false }),
    data: dataOf(metric)
  }))
  const formulas = question.formulas.map(({ name, formula }, index) => ({
    id: `formula_${index + 1}`,
    data: { type: "formula" as const, ...(name === "" ? {} : { name }), formula }
  }))
  const [first, ...others] = [...metrics, ...formulas]
  if (first === undefined || !question.metrics.every(isAskable)) return null
  return {
    time: timeBody(question.period, question.step ?? stepFor(question.period), timeZone, now),
    metrics: [first, ...others],
    ...filteringBody(question),
    ...breakdownBody(question.by),
    options: {
      cumulative: question.isCumulative,
      ...(question.smoothing > 1 ? { movingAverage: question.smoothing } : {}),
      ...(question.isCompared ? { compare: "previousPeriod" as const } : {})
    }
  }
}

/** A metric in words: `Players with Login`, `Sum of price of Purchase (platform is ios)`. */
export const metricWords = (metric: MetricState): string => {
  const { marker, measure, argument } = metric
  const phrase = measures.find(({ value }) => value === measure)?.phrase ?? measure
  const filtered = filteringWords(metric)
  const counted = needsArgument(measure) ? `${argument === "" ? "…" : argument} of ${marker}` : marker
  return `${phrase} ${counted}${filtered === "" ? "" : ` (${filtered})`}`
}

/** A formula in words: its name, or how it reads. */
export const formulaWords = ({ name, formula }: FormulaState): string => (name === "" ? formula : name)

const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** Whether the answer is a picture of values over time. */
export const isDrawn = (
  question: InsightDraft
): question is InsightDraft & { readonly display: "line" | "area" | "bars" } =>
  question.display === "line" || question.display === "area" || question.display === "bars"

/** The question in one sentence. It is the name of the chart for who cannot see it. */
export const questionWords = (question: InsightDraft): string => {
  const shown = question.metrics.filter(({ isShown }) => isShown)
  const metrics = shown.map((metric, index) => (index === 0 ? metricWords(metric) : lowered(metricWords(metric))))
  const filtered = filteringWords(question)
  return [
    [...metrics, ...question.formulas.map(formulaWords)].join(" and "),
    ...(filtered === "" ? [] : [`where ${filtered}`]),
    ...(question.by === null ? [] : [`by ${question.by.name}`]),
    ...(question.isCumulative ? ["added up"] : []),
    ...(question.smoothing > 1 ? [`mean of ${question.smoothing}`] : []),
    ...(question.isShare && isDrawn(question) ? ["in percent of the whole"] : []),
    periodWords(question.period)
  ].join(", ")
}
