import { joinList, joinParts, splitList, splitParts } from "../url/Parts.ts"

export type Source = "argument" | "property"

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
  { value: "isNotSet", label: "is not set", kind: "none" }
] as const

export type OperatorName = (typeof operators)[number]["value"]

/** One condition on a marker or its player. `values` is any of these; it is empty while the filter is not finished. */
export interface FilterState {
  readonly source: Source
  readonly name: string
  readonly operator: OperatorName
  readonly values: ReadonlyArray<string>
}

export const operatorOf = (text: string | undefined): (typeof operators)[number] =>
  operators.find(({ value }) => value === text) ?? operators[0]

/** Whether the filter says something: it has the values that its operator needs, and they are numbers where it needs numbers. */
export const isFinished = ({ name, operator, values }: FilterState): boolean => {
  const { kind } = operatorOf(operator)
  if (name === "") return false
  if (kind === "none") return true
  if (kind === "number")
    return values.length > 0 && values.every((value) => value.trim() !== "" && Number.isFinite(Number(value)))
  return values.length > 0
}

/** The filter as the API takes it. */
export const filterBody = ({ source, name, operator, values }: FilterState) => {
  const { kind } = operatorOf(operator)
  const compared = kind === "number" ? values.map(Number) : values
  const [first] = compared
  const value = compared.length > 1 ? compared : first
  return { source, name, operator, ...(kind === "none" || value === undefined ? {} : { value }) }
}

export const filterText = ({ source, name, operator, values }: FilterState): string =>
  `${joinParts([source, name, operator])}:${joinList(values)}`

/** The filter that a search parameter says; null where it says none. */
export const filterOf = (text: string): FilterState | null => {
  const [source, name, operator] = splitParts(text)
  if ((source !== "argument" && source !== "property") || name === undefined || name === "") return null
  return { source, name, operator: operatorOf(operator).value, values: splitList(text.split(":")[3] ?? "") }
}

/** The filter in words. */
export const filterWords = ({ name, operator, values }: FilterState): string =>
  [name, operatorOf(operator).label, values.join(" or ")].filter((word) => word !== "").join(" ")
