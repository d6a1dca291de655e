import type { Breakdown } from "../builder/Breakdown.ts"
import { breakdownOf, breakdownText } from "../builder/Breakdown.ts"
import type { Filtering } from "../builder/Filters.ts"
import { filteringIn, writeFiltering } from "../builder/Filters.ts"
import type { MeasureName } from "../builder/Measures.ts"
import { measureOf, needsArgument } from "../builder/Measures.ts"
import type { Period } from "../builder/Period.ts"
import { periodOf, periodText } from "../builder/Period.ts"
import type { Step } from "../text/Times.ts"
import { joinList, joinParts, splitList, splitParts } from "../url/Parts.ts"
import type { Codec } from "../url/Codec.ts"

export interface MetricState extends Filtering {
  readonly marker: string
  readonly measure: MeasureName
  /** Empty where the measure needs none. */
  readonly argument: string
  /** Whether it is drawn, or only calculated with. */
  readonly isShown: boolean
}

export interface FormulaState {
  /** What it is called; empty where it is called as it reads. */
  readonly name: string
  readonly formula: string
}

/** A metric of the marker that counts whatever the question says. */
export const freshMetric = (marker: string, measure: MeasureName): MetricState => ({
  marker,
  measure,
  argument: "",
  isShown: true,
  filters: [],
  match: "all"
})

export const displays = ["line", "area", "bars", "totals", "number", "table"] as const
export type Display = (typeof displays)[number]

/** Everything that decides what the page of insights shows. */
export interface InsightDraft extends Filtering {
  /** Empty until a marker is chosen: the page then asks about the most frequent one. */
  readonly metrics: ReadonlyArray<MetricState>
  readonly formulas: ReadonlyArray<FormulaState>
  readonly by: Breakdown | null
  readonly period: Period
  /** Null: the one that suits the period. */
  readonly step: Step | null
  readonly isCompared: boolean
  readonly isCumulative: boolean
  /** Buckets that each value is the mean of; 1 for the value itself. */
  readonly smoothing: number
  /** Whether the axis of values is logarithmic. */
  readonly isLogarithmic: boolean
  /** Whether values are drawn as percent of the sum of all series. */
  readonly isShare: boolean
  readonly display: Display
  /** Keys of series that are not drawn. */
  readonly hidden: ReadonlyArray<string>
}

const standardPeriod: Period = { kind: "relative", step: "day", value: 30 }

const mostMetrics = 15

const metricOf = (text: string, others: Filtering & Pick<MetricState, "isShown">): MetricState => {
  const [marker = "", name, argument = ""] = splitParts(text)
  const measure = measureOf(name)
  return { marker, measure, argument: needsArgument(measure) ? argument : "", ...others }
}

const metricText = ({ marker, measure, argument }: MetricState): string =>
  joinParts(argument === "" ? [marker, measure] : [marker, measure, argument])

const formulasIn = (parameters: URLSearchParams): ReadonlyArray<FormulaState> => {
  const names = parameters.getAll("fxn")
  return parameters
    .getAll("fx")
    .map((formula, index) => ({ name: names[index] ?? "", formula }))
    .filter(({ formula }) => formula !== "")
}

const oneOf = <T extends string>(words: ReadonlyArray<T>, text: string | null): T | null =>
  words.find((word) => word === text) ?? null

/** The API takes means of at most a year of days. */
const mostSmoothing = 365

const smoothingOf = (text: string | null): number => {
  const count = Number(text ?? 1)
  return Number.isInteger(count) && count > 1 && count <= mostSmoothing ? count : 1
}

const steps: ReadonlyArray<Step> = ["hour", "day", "week", "month"]

/** The letter by which formulas and filters name a metric, from its position. */
export const letterOf = (index: number): string => "ABCDEFGHIJKLMNOPQRSTUVWXYZ".charAt(index)

/** Words of a formula. A number is one as a whole, whatever letter it has: `2e5`. */
const formulaWord = /\d[\w.]*|[A-Za-z_]\w*/g

/** Hidden series once metrics and formulas have other ids, by those that they had; what is gone is hidden no more. */
const hiddenBy = (hidden: ReadonlyArray<string>, ids: ReadonlyMap<string, string>): ReadonlyArray<string> =>
  hidden.flatMap((key) => {
    const [id = "", ...group] = key.split(" ")
    const now = ids.get(id)
    return now === undefined ? [] : [[now, ...group].join(" ")]
  })

/** The ids of formulas, with those that they have among the ones that are left. */
const idsOf = (all: ReadonlyArray<FormulaState>, left: ReadonlyArray<FormulaState>) =>
  all.flatMap((formula, index) => {
    const now = left.indexOf(formula)
    return now < 0 ? [] : [[`formula_${index + 1}`, `formula_${now + 1}`] as const]
  })

/**
 * The metrics and formulas without one metric. Those behind it move up, and so do their letters in formulas and in what is hidden; a formula
 * that counts with the metric itself goes with it.
 */
export const withoutMetric = ({ metrics, formulas, hidden }: InsightDraft, removed: number) => {
  const letters = new Map(
    metrics.flatMap((_, index) => (index > removed ? [[letterOf(index), letterOf(index - 1)] as const] : []))
  )
  const wordsOf = (formula: string): ReadonlyArray<string> => formula.match(formulaWord) ?? []
  const left = formulas.filter(({ formula }) => !wordsOf(formula).includes(letterOf(removed)))
  const before = metrics.slice(0, removed).map((_, index) => [letterOf(index), letterOf(index)] as const)
  return {
    ...withFormulas(
      metrics.filter((_, index) => index !== removed),
      left.map(({ name, formula }) => ({
        name,
        formula: formula.replace(formulaWord, (word) => letters.get(word) ?? word)
      }))
    ),
    hidden: hiddenBy(hidden, new Map([...before, ...letters, ...idsOf(formulas, left)]))
  }
}

/** The question without one formula; what is hidden of the others stays so. */
export const withoutFormula = ({ metrics, formulas, hidden }: InsightDraft, removed: number) => {
  const left = formulas.filter((_, index) => index !== removed)
  const letters = metrics.map((_, index) => [letterOf(index), letterOf(index)] as const)
  return {
    ...withFormulas(metrics, left),
    hidden: hiddenBy(hidden, new Map([...letters, ...idsOf(formulas, left)]))
  }
}

/** The metrics with these formulas. Without any formula no metric is left to them alone: all are drawn. */
export const withFormulas = (metrics: ReadonlyArray<MetricState>, formulas: ReadonlyArray<FormulaState>) => ({
  metrics: formulas.length === 0 ? metrics.map((metric) => ({ ...metric, isShown: true })) : metrics,
  formulas
})

/** `?m=Login:uniqueUsers&fA=property:country:is:DE&by=property:platform&range=14d&compare=1` */
export const questionCodec: Codec<InsightDraft> = {
  read: (parameters) => ({
    metrics: parameters
      .getAll("m")
      .slice(0, mostMetrics)
      .map((text, index) =>
        metricOf(text, {
          ...filteringIn(parameters, letterOf(index)),
          isShown: !(parameters.get("off") ?? "").includes(letterOf(index))
        })
      )
      .filter(({ marker }) => marker !== ""),
    formulas: formulasIn(parameters),
    ...filteringIn(parameters),
    by: breakdownOf(parameters.get("by")),
    period: periodOf(parameters.get("range") ?? "") ?? standardPeriod,
    step: oneOf(steps, parameters.get("step")),
    isCompared: parameters.get("compare") === "1",
    isCumulative: parameters.get("sum") === "1",
    smoothing: smoothingOf(parameters.get("mean")),
    isLogarithmic: parameters.get("log") === "1",
    isShare: parameters.get("share") === "1",
    display: oneOf(displays, parameters.get("show")) ?? "line",
    hidden: splitList(parameters.get("hide") ?? "")
  }),
  write: (question) => {
    const parameters = new URLSearchParams()
    for (const [index, metric] of question.metrics.entries()) {
      parameters.append("m", metricText(metric))
      writeFiltering(parameters, metric, letterOf(index))
    }
    const off = question.metrics.flatMap(({ isShown }, index) => (isShown ? [] : [letterOf(index)])).join("")
    if (off !== "") parameters.set("off", off)
    for (const { formula } of question.formulas) parameters.append("fx", formula)
    if (question.formulas.some(({ name }) => name !== "")) {
      for (const { name } of question.formulas) parameters.append("fxn", name)
    }
    writeFiltering(parameters, question)
    if (question.by !== null) parameters.set("by", breakdownText(question.by))
    const range = periodText(question.period)
    if (range !== periodText(standardPeriod)) parameters.set("range", range)
    if (question.step !== null) parameters.set("step", question.step)
    if (question.isCompared) parameters.set("compare", "1")
    if (question.isCumulative) parameters.set("sum", "1")
    if (question.smoothing > 1) parameters.set("mean", String(question.smoothing))
    if (question.isLogarithmic) parameters.set("log", "1")
    if (question.isShare) parameters.set("share", "1")
    if (question.display !== "line") parameters.set("show", question.display)
    if (question.hidden.length > 0) parameters.set("hide", joinList(question.hidden))
    return parameters
  }
}

/** What decides only how the answer is drawn: it changes at once, while another answer is on its way too. */
export const appearanceOf = ({ display, hidden, isLogarithmic, isShare }: InsightDraft) => ({
  display,
  hidden,
  isLogarithmic,
  isShare
})
