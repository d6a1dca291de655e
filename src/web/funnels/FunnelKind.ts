import type { Kind, SavedQuestion } from "../saved/Kind.ts"
import { looksOf, looksText } from "../saved/Looks.ts"
import { breakdownIn, filtersIn, periodIn } from "../saved/Reading.ts"
import { asksTheSame } from "../saved/Same.ts"
import type { Display, FunnelQuestion, StepState } from "./FunnelQuestion.ts"
import { funnelBody, funnelCodec, funnelWords } from "./FunnelQuestion.ts"

type Spec = Extract<SavedQuestion, { readonly queryType: "funnel" }>["spec"]

const displayIn = (text: string | undefined): Display =>
  text === "overTime" ? "time" : text === "timeToConvert" ? "convert" : "steps"

const questionIn = (spec: Spec, timeZone: string): FunnelQuestion | null => {
  const period = looksOf(spec.options.display).moving ?? periodIn(spec.time, timeZone)
  const filters = filtersIn(spec.filters)
  const steps = spec.steps.flatMap((step): ReadonlyArray<StepState> => {
    const own = filtersIn(step.filters)
    return own === null ? [] : [{ marker: String(step.name), filters: own, match: step.match }]
  })
  if (period === null || filters === null || steps.length < spec.steps.length) return null
  const { match, conversionWindow } = spec
  const { fromStep, toStep } = spec.options.timeToConvert ?? {}
  return {
    steps,
    withinDays: conversionWindow.value,
    filters,
    match,
    by: breakdownIn(spec.breakdowns),
    period,
    display: displayIn(spec.options.display),
    between: fromStep === undefined || toStep === undefined ? null : [fromStep, toStep],
    hidden: []
  }
}

/** Funnels, as they are saved and read again. */
export const funnelKind: Kind<FunnelQuestion> = {
  queryType: "funnel",
  codec: funnelCodec,
  words: funnelWords,
  definition: (question, timeZone) => {
    const spec = funnelBody(question, timeZone)
    // The API knows these drawings by one word alone; their period is saved as the days that it has now.
    if (spec === null || question.display !== "steps") return spec === null ? null : { queryType: "funnel", spec }
    return { queryType: "funnel", spec: { ...spec, options: { display: looksText("steps", question.period, []) } } }
  },
  read: (saved, timeZone) => {
    if (saved.queryType !== "funnel") return null
    const question = questionIn(saved.spec, timeZone)
    if (question === null) return null
    // A period that moves on asks for other days than those that were saved with it.
    const moves = looksOf(saved.spec.options.display).moving !== null
    const asks = moves ? { ...saved.spec, time: funnelBody(question, timeZone)?.time } : saved.spec
    return asksTheSame(asks, funnelBody(question, timeZone)) ? question : null
  },
  essence: (question) => ({ ...question, hidden: [] })
}
