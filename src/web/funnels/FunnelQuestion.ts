import type { BodyOf } from "../api/Endpoints.ts"
import type { FilterState } from "../builder/Filters.ts"
import { filterBody, filterOf, filterText, filterWords, isFinished } from "../builder/Filters.ts"
import type { Period } from "../builder/Period.ts"
import { periodOf, periodText, periodWords, stepFor, timeBody } from "../builder/Period.ts"
import type { Codec } from "../url/Codec.ts"

/** What the page of funnels asks. */
export interface FunnelQuestion {
  /** Marker types, in the order in which players pass them. */
  readonly steps: ReadonlyArray<string>
  /** Days from the first step in which all others must follow. */
  readonly withinDays: number
  readonly filters: ReadonlyArray<FilterState>
  readonly match: "all" | "any"
  readonly period: Period
  /** Whether the share of players who pass all steps is drawn over time. */
  readonly isOverTime: boolean
}

const standardPeriod: Period = { kind: "relative", step: "day", value: 30 }
const standardDays = 7
const mostSteps = 32

export const funnelCodec: Codec<FunnelQuestion> = {
  read: (parameters) => {
    const days = Number(parameters.get("within") ?? standardDays)
    return {
      steps: parameters
        .getAll("s")
        .filter((step) => step !== "")
        .slice(0, mostSteps),
      withinDays: Number.isInteger(days) && days >= 1 && days <= 365 ? days : standardDays,
      filters: parameters.getAll("f").flatMap((text) => filterOf(text) ?? []),
      match: parameters.get("match") === "any" ? "any" : "all",
      period: periodOf(parameters.get("range") ?? "") ?? standardPeriod,
      isOverTime: parameters.get("show") === "time"
    }
  },
  write: ({ steps, withinDays, filters, match, period, isOverTime }) => {
    const parameters = new URLSearchParams()
    for (const step of steps) parameters.append("s", step)
    if (withinDays !== standardDays) parameters.set("within", String(withinDays))
    for (const filter of filters) parameters.append("f", filterText(filter))
    if (match === "any") parameters.set("match", "any")
    if (periodText(period) !== periodText(standardPeriod)) parameters.set("range", periodText(period))
    if (isOverTime) parameters.set("show", "time")
    return parameters
  }
}

/** The question as the API takes it; null while there are fewer than two steps. */
export const funnelBody = (question: FunnelQuestion, timeZone: string): BodyOf<"queries.funnels"> | null =>
  question.steps.length < 2
    ? null
    : {
        time: timeBody(question.period, question.isOverTime ? stepFor(question.period) : "day", timeZone),
        steps: question.steps.map((name, index) => ({ id: String(index + 1), name })),
        conversionWindow: { step: "day", value: question.withinDays },
        filters: question.filters.filter(isFinished).map(filterBody),
        match: question.match,
        ...(question.isOverTime ? { options: { display: "overTime" } } : {})
      }

const daysText = (days: number): string => (days === 1 ? "a day" : `${days} days`)

/** The question in one sentence. */
export const funnelWords = ({ steps, withinDays, filters, match, period }: FunnelQuestion): string => {
  const conditions = filters.filter(isFinished).map(filterWords)
  return [
    `${steps.at(0) ?? "…"} to ${steps.length < 2 ? "…" : (steps.at(-1) ?? "…")} within ${daysText(withinDays)}`,
    ...(conditions.length === 0 ? [] : [`where ${conditions.join(match === "all" ? " and " : " or ")}`]),
    periodWords(period)
  ].join(", ")
}

/** The steps with one of them moved to another place. */
export const moved = (steps: ReadonlyArray<string>, from: number, to: number): ReadonlyArray<string> => {
  const step = steps[from]
  if (step === undefined || to < 0 || to >= steps.length) return steps
  const others = steps.filter((_, index) => index !== from)
  return [...others.slice(0, to), step, ...others.slice(to)]
}
