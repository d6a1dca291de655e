import { Either } from "effect"
import type { Dimension } from "./Breakdown.ts"
import type { Scalar } from "./Event.ts"
import type { Condition, Filter, Operator } from "./Filter.ts"
import { type Checked, problem } from "./QueryProblem.ts"
import type { Selector } from "./Selector.ts"
import { numberOf } from "./Value.ts"

export type Source = "argument" | "property" | "cohort" | "experiment"

export interface FilterRequest {
  readonly source: Source
  readonly name: string
  readonly operator: Operator
  readonly value?: Scalar | ReadonlyArray<Scalar> | undefined
}

export interface FiltersRequest {
  readonly filters?: ReadonlyArray<FilterRequest> | undefined
  readonly match?: "all" | "any" | undefined
}

/** Markers of one name or of any of several, for which filters hold. */
export interface SelectorRequest extends FiltersRequest {
  readonly name: string | ReadonlyArray<string>
}

export interface BreakdownRequest {
  readonly source: Source
  readonly name: string
}

const numeric: ReadonlySet<Operator> = new Set([
  "greaterThan",
  "greaterThanOrEqual",
  "lessThan",
  "lessThanOrEqual",
  "between"
])

const operandsOf = ({ operator, value }: FilterRequest, path: string): Checked<ReadonlyArray<Scalar>, "invalid"> => {
  if (operator === "isSet" || operator === "isNotSet") {
    return Either.right([])
  }
  if (value === undefined) return problem("invalid", `${path}.value: ${operator} needs one`)
  const operands = typeof value === "object" ? value : [value]
  if (operands.length === 0) return problem("invalid", `${path}.value: ${operator} needs at least one`)
  if (numeric.has(operator) && operands.some((operand) => numberOf(operand) === null)) {
    return problem("invalid", `${path}.value: ${operator} compares numbers`)
  }
  const [low = 0, high = 0] = operands.map((operand) => numberOf(operand) ?? 0)
  if (operator === "between" && (operands.length !== 2 || low > high)) {
    return problem("invalid", `${path}.value: between needs [low, high]`)
  }
  return Either.right(operands)
}

type FilterProblem = "invalid" | "reference"

const conditionOf = (filter: FilterRequest, path: string): Checked<Condition, FilterProblem> => {
  const { source, name, operator } = filter
  if (source === "cohort" || source === "experiment")
    return problem("reference", `${path}.name: no ${source} ${name} here`)
  return Either.map(operandsOf(filter, path), (operands) => ({ source, name, operator, operands }))
}

/** The filters as a condition on markers; `path` is where they stand in the query. */
export const planFilter = (
  { filters = [], match = "all" }: FiltersRequest,
  path: string
): Checked<Filter, FilterProblem> =>
  Either.map(
    Either.all(filters.map((filter, index) => conditionOf(filter, `${path}filters.${index}`))),
    (conditions) => ({ match, conditions })
  )

export const planSelector = (request: SelectorRequest, path: string): Checked<Selector> => {
  const [first, ...rest] = typeof request.name === "string" ? [request.name] : request.name
  if (first === undefined) return problem("invalid", `${path}name: name at least one marker`)
  return Either.map(planFilter(request, path), (filter) => ({ types: [first, ...rest], filter }))
}

export const planDimensions = (
  breakdowns: ReadonlyArray<BreakdownRequest>,
  path: string
): Checked<ReadonlyArray<Dimension>> =>
  Either.all(
    breakdowns.map(({ source, name }, index) =>
      source === "cohort" || source === "experiment"
        ? problem("reference", `${path}.${index}.name: no ${source} ${name} here`)
        : Either.right({ source, name })
    )
  )

/** At most two dimensions. */
export const planBreakdowns = (breakdowns: ReadonlyArray<BreakdownRequest>): Checked<ReadonlyArray<Dimension>> =>
  breakdowns.length > 2 ? problem("invalid", "breakdowns: at most two") : planDimensions(breakdowns, "breakdowns")
