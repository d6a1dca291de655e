import { measureOf } from "../builder/Measures.ts"
import { stepFor } from "../builder/Period.ts"
import type { Kind, SavedQuestion } from "../saved/Kind.ts"
import { looksOf, looksText } from "../saved/Looks.ts"
import { breakdownIn, filtersIn, periodIn } from "../saved/Reading.ts"
import { asksTheSame } from "../saved/Same.ts"
import { formulaWords, insightBody, metricWords, questionWords } from "./Ask.ts"
import type { Display, MetricState, InsightDraft } from "./Question.ts"
import { displays, letterOf, questionCodec } from "./Question.ts"

type Spec = Extract<SavedQuestion, { readonly queryType: "insight" }>["spec"]

const displayOf = (text: string): Display => displays.find((display) => display === text) ?? "line"

/** Formulas name metrics by their letters, which are their places. */
const hasLetters = ({ metrics }: Spec): boolean =>
  metrics.every(({ data }) => data.type !== "formula") ||
  metrics.every(({ id, data }, index) => data.type === "formula" || id === letterOf(index))

/** The metrics that are no formulas; null where one has filters that the page cannot show. */
const metricsIn = ({ metrics }: Spec): ReadonlyArray<MetricState> | null => {
  const measured = metrics.filter(({ data }) => data.type !== "formula")
  const found = measured.flatMap(({ data, visible: isShown }): ReadonlyArray<MetricState> => {
    if (data.type === "formula") return []
    const filters = filtersIn(data.filters)
    const argument = "argument" in data ? data.argument : ""
    return filters === null
      ? []
      : [{ marker: String(data.name), measure: measureOf(data.type), argument, isShown, filters, match: data.match }]
  })
  return found.length === measured.length ? found : null
}

const questionIn = (spec: Spec, timeZone: string): InsightDraft | null => {
  const looks = looksOf(spec.options.display)
  const period = looks.moving ?? periodIn(spec.time, timeZone)
  const filters = filtersIn(spec.filters)
  const metrics = metricsIn(spec)
  if (period === null || filters === null || metrics === null || !hasLetters(spec)) return null
  return {
    metrics,
    formulas: spec.metrics.flatMap(({ data }) =>
      data.type === "formula" ? [{ name: data.name ?? "", formula: data.formula }] : []
    ),
    filters,
    match: spec.match,
    by: breakdownIn(spec.breakdowns),
    period,
    step: spec.time.step === stepFor(period) ? null : spec.time.step,
    isCompared: spec.options.compare !== undefined,
    isCumulative: spec.options.cumulative,
    smoothing: spec.options.movingAverage ?? 1,
    isLogarithmic: looks.flags.includes("log"),
    isShare: looks.flags.includes("share"),
    display: displayOf(looks.display),
    hidden: []
  }
}

/** What the metrics of a saved question are called, by their ids; also of one that the page cannot show. */
export const namesIn = (spec: Spec): ReadonlyMap<string, string> =>
  new Map(
    spec.metrics.map((metric) => {
      const { id, data } = metric
      if (data.type === "formula") return [id, formulaWords({ name: data.name ?? "", formula: data.formula })]
      const [found] = metricsIn({ ...spec, metrics: [metric] }) ?? []
      return [id, found === undefined ? String(data.name) : metricWords(found)]
    })
  )

/** Questions of insights, as they are saved and read again. */
export const insightKind: Kind<InsightDraft> = {
  queryType: "insight",
  codec: questionCodec,
  words: questionWords,
  definition: (question, timeZone) => {
    const spec = insightBody(question, timeZone)
    if (spec === null) return null
    const flags = [...(question.isLogarithmic ? ["log"] : []), ...(question.isShare ? ["share"] : [])]
    const display = looksText(question.display, question.period, flags)
    return { queryType: "insight", spec: { ...spec, options: { ...spec.options, display } } }
  },
  read: (saved, timeZone) => {
    if (saved.queryType !== "insight") return null
    const question = questionIn(saved.spec, timeZone)
    if (question === null) return null
    // A period that moves on asks for other days than those that were saved with it.
    const moves = looksOf(saved.spec.options.display).moving !== null
    const asks = moves ? { ...saved.spec, time: insightBody(question, timeZone)?.time } : saved.spec
    return asksTheSame(asks, insightBody(question, timeZone)) ? question : null
  },
  essence: (question) => ({ ...question, hidden: [] })
}
