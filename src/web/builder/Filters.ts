import type { BodyOf } from "../api/Endpoints.ts"
import { joinList, joinParts, splitList, splitParts } from "../url/Parts.ts"

export type FieldSource = "argument" | "property"

type FilterBody = NonNullable<BodyOf<"queries.insights">["filters"]>[number]

/** What a filter looks at: a value of the marker or its player, or whether the player is in a cohort. */
export type FilterSource = FieldSource | "cohort"

/** How a value is compared, in the words of the page; each is an operator of the API. */
export const operators = [
  { value: "is", label: "is", kind: "text" },
  { value: "isNot", label: "is not", kind: "text" },
  { value: "contains", label: "contains", kind: "text" },
  { value: "notContains", label: "does not contain", kind: "text" },
  { value: "equal", label: "=", kind: "number" },
  { value: "notEqual", label: "≠", kind: "number" },
  { value: "greaterThan", label: ">", kind: "number" },
  { value: "greaterThanOrEqual", label: "≥", kind: "number" },
  { value: "lessThan", label: "<", kind: "number" },
  { value: "lessThanOrEqual", label: "≤", kind: "number" },
  { value: "isSet", label: "is set", kind: "none" },
  { value: "isNotSet", label: "is not set", kind: "none" },
  { value: "isIn", label: "members only", kind: "members" },
  { value: "isNotIn", label: "everybody else", kind: "members" }
] as const

export type OperatorName = (typeof operators)[number]["value"]

/**
 * One condition on a marker or its player. `values` is any of these; it is empty while the filter is not finished. Of a cohort, the name is
 * a label and the value its id.
 */
export interface FilterState {
  readonly source: FilterSource
  readonly name: string
  readonly operator: OperatorName
  readonly values: ReadonlyArray<string>
}

/** Conditions, and whether all or any of them must hold. */
export interface Filtering {
  readonly filters: ReadonlyArray<FilterState>
  readonly match: "all" | "any"
}

export const operatorOf = (text: string | undefined): (typeof operators)[number] =>
  operators.find(({ value }) => value === text) ?? operators[0]

const isId = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text)

/** Whether the filter says something: it has the values that its operator needs, and they are numbers where it needs numbers. */
export const isFinished = ({ source, name, operator, values }: FilterState): boolean => {
  const { kind } = operatorOf(operator)
  if (name === "") return false
  if (source === "cohort") return kind === "members" && values.length > 0 && values.every(isId)
  if (kind === "none") return true
  if (kind === "number")
    return values.length > 0 && values.every((value) => value.trim() !== "" && Number.isFinite(Number(value)))
  return values.length > 0
}

/** The filter as the API takes it. */
export const filterBody = ({ source, name, operator, values }: FilterState): FilterBody => {
  const { kind } = operatorOf(operator)
  if (source === "cohort") {
    const [id = 0, ...others] = values.map(Number)
    return {
      source,
      name,
      operator: operator === "isNotIn" ? operator : ("isIn" as const),
      value: [id, ...others] as const
    }
  }
  const compared = kind === "number" ? values.map(Number) : values
  const [first] = compared
  const value = compared.length > 1 ? compared : first
  const rest = { name, operator, ...(kind === "none" || value === undefined ? {} : { value }) }
  return source === "argument" ? { source, ...rest } : { source, ...rest }
}

export const filterText = ({ source, name, operator, values }: FilterState): string =>
  `${joinParts([source, name, operator])}:${joinList(values)}`

/** The filter that a search parameter says; null where it says none. */
export const filterOf = (text: string): FilterState | null => {
  const [source, name, operator] = splitParts(text)
  if (name === undefined || name === "") return null
  const rest = { name, operator: operatorOf(operator).value, values: splitList(text.split(":")[3] ?? "") }
  if (source === "argument" || source === "property") return { source, ...rest }
  const filter = { source: "cohort" as const, ...rest }
  return source === "cohort" && isFinished(filter) ? filter : null
}

/** Filters as the address has them: those of the whole question, or those of a part of it, whose letter or number stands behind the name. */
export const filteringIn = (parameters: URLSearchParams, part = ""): Filtering => ({
  filters: parameters.getAll(`f${part}`).flatMap((text) => filterOf(text) ?? []),
  match: parameters.get(`match${part}`) === "any" ? "any" : "all"
})

export const writeFiltering = (parameters: URLSearchParams, { filters, match }: Filtering, part = ""): void => {
  for (const filter of filters) parameters.append(`f${part}`, filterText(filter))
  if (match === "any") parameters.set(`match${part}`, "any")
}

/** The conditions that are finished, as the API takes them. */
export const filteringBody = ({ filters, match }: Filtering) => ({
  filters: filters.filter(isFinished).map(filterBody),
  match
})

/** The filter in words. */
export const filterWords = ({ source, name, operator, values }: FilterState): string =>
  source === "cohort"
    ? `${operator === "isNotIn" ? "not " : ""}in the cohort ${name}`
    : [name, operatorOf(operator).label, values.join(" or ")].filter((word) => word !== "").join(" ")

/** The conditions that are finished, in words; empty where there are none. */
export const filteringWords = ({ filters, match }: Filtering): string =>
  filters
    .filter(isFinished)
    .map(filterWords)
    .join(match === "all" ? " and " : " or ")
