import type { BodyOf } from "../api/Endpoints.ts"
import type { Breakdown } from "../builder/Breakdown.ts"
import { breakdownBody, breakdownOf, breakdownText } from "../builder/Breakdown.ts"
import type { Filtering } from "../builder/Filters.ts"
import { filteringBody, filteringIn, filteringWords, writeFiltering } from "../builder/Filters.ts"
import type { Period } from "../builder/Period.ts"
import { periodOf, periodText, periodWords, stepFor, timeBody } from "../builder/Period.ts"
import { joinList, splitList } from "../url/Parts.ts"
import type { Codec } from "../url/Codec.ts"

/** Bars for each step, the share of players who pass all steps over time, or how long players take between two steps. */
export const displays = ["steps", "time", "convert"] as const
export type Display = (typeof displays)[number]

/** Two steps, counted from 0, the earlier first. */
export type Between = readonly [from: number, to: number]

/** A marker that players pass, and which of these count as passing. */
export interface StepState extends Filtering {
  readonly marker: string
}

/** A step that every marker of the type passes. */
export const freshStep = (marker: string): StepState => ({ marker, filters: [], match: "all" })

/** What the page of funnels asks. */
export interface FunnelQuestion extends Filtering {
  /** In the order in which players pass them. */
  readonly steps: ReadonlyArray<StepState>
  /** Days from the first step in which all others must follow. */
  readonly withinDays: number
  readonly by: Breakdown | null
  readonly period: Period
  readonly display: Display
  /** Between which steps times to convert are told; null: from the first to the last. */
  readonly between: Between | null
  /** Keys of groups that are not drawn. */
  readonly hidden: ReadonlyArray<string>
}

const standardPeriod: Period = { kind: "relative", step: "day", value: 30 }
const standardDays = 7
const mostSteps = 32

/** Bins of each histogram where there are several: half as many as where there is one. */
const binsOfGroup = 10

/** `1:3`, as steps are counted on the page. */
const betweenOf = (text: string | null): Between | null => {
  const [from = 0, to = 0] = (text ?? "").split(":").map(Number)
  return Number.isInteger(from) && Number.isInteger(to) && from >= 1 && from < to && to <= mostSteps
    ? [from - 1, to - 1]
    : null
}

export const funnelCodec: Codec<FunnelQuestion> = {
  read: (parameters) => {
    const days = Number(parameters.get("within") ?? standardDays)
    return {
      steps: parameters
        .getAll("s")
        .map((marker, index) => ({ marker, ...filteringIn(parameters, String(index + 1)) }))
        .filter(({ marker }) => marker !== "")
        .slice(0, mostSteps),
      withinDays: Number.isInteger(days) && days >= 1 && days <= 365 ? days : standardDays,
      ...filteringIn(parameters),
      by: breakdownOf(parameters.get("by")),
      period: periodOf(parameters.get("range") ?? "") ?? standardPeriod,
      display: displays.find((each) => each === parameters.get("show")) ?? "steps",
      between: betweenOf(parameters.get("between")),
      hidden: splitList(parameters.get("hide") ?? "")
    }
  },
  write: ({ steps, withinDays, filters, match, by, period, display, between, hidden }) => {
    const parameters = new URLSearchParams()
    for (const [index, step] of steps.entries()) {
      parameters.append("s", step.marker)
      writeFiltering(parameters, step, String(index + 1))
    }
    if (withinDays !== standardDays) parameters.set("within", String(withinDays))
    writeFiltering(parameters, { filters, match })
    if (by !== null) parameters.set("by", breakdownText(by))
    if (periodText(period) !== periodText(standardPeriod)) parameters.set("range", periodText(period))
    if (display !== "steps") parameters.set("show", display)
    if (between !== null) parameters.set("between", between.map((step) => step + 1).join(":"))
    if (hidden.length > 0) parameters.set("hide", joinList(hidden))
    return parameters
  }
}

/** The steps between which times are told: those that were chosen, as long as the funnel has them. */
export const betweenIn = ({ between, steps }: FunnelQuestion): Between =>
  between !== null && between[1] < steps.length ? between : [0, Math.max(1, steps.length - 1)]

const optionsOf = (question: FunnelQuestion) => {
  if (question.display === "steps") return {}
  if (question.display === "time") return { options: { display: "overTime" } }
  const [fromStep, toStep] = betweenIn(question)
  const steps = question.between === null ? {} : { fromStep, toStep }
  const bins = question.by === null ? {} : { bins: binsOfGroup }
  return { options: { display: "timeToConvert", timeToConvert: { ...steps, ...bins } } }
}

/** The question as the API takes it; null while there are fewer than two steps. */
export const funnelBody = (
  question: FunnelQuestion,
  timeZone: string,
  now?: string
): BodyOf<"queries.funnels"> | null =>
  question.steps.length < 2
    ? null
    : {
        time: timeBody(question.period, question.display === "time" ? stepFor(question.period) : "day", timeZone, now),
        steps: question.steps.map((step, index) => ({
          id: String(index + 1),
          name: step.marker,
          ...(step.filters.length > 0 || step.match === "any" ? filteringBody(step) : {})
        })),
        conversionWindow: { step: "day", value: question.withinDays },
        ...filteringBody(question),
        ...breakdownBody(question.by),
        ...optionsOf(question)
      }

const daysText = (days: number): string => (days === 1 ? "a day" : `${days} days`)

/** A step in words: `Purchase (price > 5)`. */
export const stepWords = (step: StepState): string => {
  const filtered = filteringWords(step)
  return filtered === "" ? step.marker : `${step.marker} (${filtered})`
}

const endWords = (step: StepState | undefined): string => (step === undefined ? "…" : stepWords(step))

/** The question in one sentence. */
export const funnelWords = (question: FunnelQuestion): string => {
  const { steps, withinDays, by, period } = question
  if (steps.length === 0) return `No steps yet, ${periodWords(period)}`
  const filtered = filteringWords(question)
  return [
    `${endWords(steps.at(0))} to ${endWords(steps.length < 2 ? undefined : steps.at(-1))} within ${daysText(withinDays)}`,
    ...(filtered === "" ? [] : [`where ${filtered}`]),
    ...(by === null ? [] : [`by ${by.name}`]),
    periodWords(period)
  ].join(", ")
}

/** The steps with one of them moved to another place. */
export const moved = <Step>(steps: ReadonlyArray<Step>, from: number, to: number): ReadonlyArray<Step> => {
  const step = steps[from]
  if (step === undefined || to < 0 || to >= steps.length) return steps
  const others = steps.filter((_, index) => index !== from)
  return [...others.slice(0, to), step, ...others.slice(to)]
}
