import { fieldText } from "../text/Form.ts"
import type { AlertBody, AlertWatch, WatchBody } from "./AlertQueries.ts"

/** What the form asks beside its fields: they decide which fields there are. */
export interface AlertDraft {
  readonly kind: AlertWatch["kind"]
  readonly condition: "change" | "threshold"
  readonly queryId: string
}

export const draftOf = (watch: AlertWatch | null): AlertDraft => ({
  kind: watch?.kind ?? "query",
  condition: watch !== null && "condition" in watch ? watch.condition.kind : "change",
  queryId: watch !== null && "queryId" in watch ? watch.queryId : ""
})

const numberOf = (form: FormData, name: string, standard: number): number => {
  const text = fieldText(form, name).trim()
  const value = Number(text)
  return text === "" || !Number.isFinite(value) ? standard : value
}

const limitOf = (form: FormData, name: string, factor: number): number | null => {
  const text = fieldText(form, name).trim()
  return text === "" ? null : Number(text) / factor
}

/** A limit as its field shows it: shares as percent, without what binary fractions add (0.58 is 58, not 57.99999999999999). */
export const limitShown = (limit: number | null | undefined, factor: number): number | "" =>
  limit === null || limit === undefined ? "" : Number((limit * factor).toPrecision(12))

const idOf = (form: FormData, name: string): number | null => {
  const value = Number(fieldText(form, name))
  return value > 0 ? value : null
}

const directionOf = (form: FormData): "drop" | "rise" | "either" => {
  const direction = fieldText(form, "direction")
  return direction === "drop" || direction === "rise" ? direction : "either"
}

const conditionOf = (form: FormData, { kind, condition }: AlertDraft) => {
  const common = {
    minimumSample: numberOf(form, "minimumSample", 100),
    falseOnceInWeeks: numberOf(form, "falseOnceInWeeks", 13)
  }
  if (condition === "threshold") {
    const factor = kind === "funnelStep" ? 100 : 1
    return {
      kind: "threshold" as const,
      above: limitOf(form, "above", factor),
      below: limitOf(form, "below", factor),
      ...common
    }
  }
  return {
    kind: "change" as const,
    direction: directionOf(form),
    percent: numberOf(form, "percent", 10),
    weeks: numberOf(form, "weeks", 4),
    ...common
  }
}

/** What the form says is to be watched. */
export const watchOf = (form: FormData, draft: AlertDraft): WatchBody => {
  const { kind, queryId } = draft
  const every = fieldText(form, "every") === "day" ? ("day" as const) : ("hour" as const)
  switch (kind) {
    case "query":
      return {
        kind,
        queryId,
        metricId: fieldText(form, "metricId") || null,
        every,
        condition: conditionOf(form, draft)
      }
    case "funnelStep":
      return { kind, queryId, step: numberOf(form, "step", 1), every, condition: conditionOf(form, draft) }
    case "silence": {
      const [first = "", ...rest] = fieldText(form, "names")
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "")
      return { kind, names: rest.length === 0 ? first : [first, ...rest], minutes: numberOf(form, "minutes", 60) }
    }
    case "guardrail":
    case "sampleRatio":
      return { kind, experimentId: idOf(form, "experimentId") }
    case "cohort":
      return { kind, cohortId: idOf(form, "cohortId") }
  }
}

/** What the whole form says. */
export const bodyOf = (form: FormData, draft: AlertDraft): AlertBody => ({
  name: fieldText(form, "name"),
  description: fieldText(form, "description") || null,
  watch: watchOf(form, draft),
  delayMinutes: numberOf(form, "delayMinutes", 15),
  isActive: form.get("isActive") !== null
})
