import type { Breakdown } from "../builder/Breakdown.ts"
import type { FilterState } from "../builder/Filters.ts"
import { operatorOf } from "../builder/Filters.ts"
import type { Period } from "../builder/Period.ts"
import type { SavedQuestion } from "./Kind.ts"

type Spec = Extract<SavedQuestion, { readonly queryType: "insight" }>["spec"]

const dayIn = (instant: number, timeZone: string): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }).format(instant)

/** The period that a saved question says; null where the page has no such. */
export const periodIn = (time: Spec["time"], timeZone: string): Period | null => {
  if (time.timezone !== undefined && time.timezone !== timeZone) return null
  if ("from" in time) {
    // The end is the first instant that does not count any more.
    return { kind: "dates", from: dayIn(Date.parse(time.from), timeZone), to: dayIn(Date.parse(time.to) - 1, timeZone) }
  }
  const { step, value } = time.relative
  return step === "minute" ? null : { kind: "relative", step, value }
}

/** The filters that a saved question says; null where one of them asks for what the page cannot show. */
export const filtersIn = (filters: Spec["filters"]): ReadonlyArray<FilterState> | null => {
  const found = filters.flatMap((filter): ReadonlyArray<FilterState> => {
    if (filter.source === "experiment") return []
    const { source, name, operator, value } = filter
    const values = value === undefined ? [] : [value].flat().map(String)
    return [{ source, name, operator: operatorOf(operator).value, values }]
  })
  return found.length === filters.length ? found : null
}

/** The breakdown that a saved question says; null where it has none that the page can show. */
export const breakdownIn = ([first]: Spec["breakdowns"]): Breakdown | null =>
  first === undefined || (first.source !== "argument" && first.source !== "property")
    ? null
    : { source: first.source, name: first.name }
