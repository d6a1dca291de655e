import { Either, Schema } from "effect"
import { CohortId, ExperimentGroupId, ExperimentId } from "../../Ids.ts"
import type { Dimension } from "./Breakdown.ts"
import type { Scalar } from "../markers/Event.ts"
import type { FilterCondition, Filter, Operator, Reference } from "./Filter.ts"
import { type Checked, eachOf, problem } from "../question/QueryProblem.ts"
import type { Selector } from "./Selector.ts"
import { numberOf } from "./Value.ts"

export type ConditionSource = "argument" | "property" | "cohort" | "experiment"

export interface FilterRequest {
  readonly source: ConditionSource
  readonly name: string
  readonly operator: Operator
  readonly value?: Scalar | ReadonlyArray<Scalar> | undefined
}

export interface FiltersRequest {
  readonly filters?: ReadonlyArray<FilterRequest> | undefined
  readonly match?: "all" | "any" | undefined
}

/** Selects markers of one name, or of any of several, that pass the filters. */
export interface SelectorRequest extends FiltersRequest {
  readonly name: string | ReadonlyArray<string>
}

export interface BreakdownRequest {
  readonly source: ConditionSource
  readonly name: string
}

const numeric: ReadonlySet<Operator> = new Set([
  "greaterThan",
  "greaterThanOrEqual",
  "lessThan",
  "lessThanOrEqual",
  "between"
])

type Comparison = Pick<FilterRequest, "operator" | "value">

/**
 * The values that a comparison compares with, as its operator demands them. `path` locates the comparison in problems.
 */
export const planOperands = (
  { operator, value }: Comparison,
  path: string
): Checked<ReadonlyArray<Scalar>, "invalid"> => {
  if (operator === "isSet" || operator === "isNotSet") {
    return Either.right([])
  }
  if (value === undefined) return problem("invalid", `${path}.value: ${operator} needs a value`)
  const operands = typeof value === "object" ? value : [value]
  if (operands.length === 0) return problem("invalid", `${path}.value: ${operator} needs at least one value`)
  if (numeric.has(operator) && operands.some((operand) => numberOf(operand) === null)) {
    return problem("invalid", `${path}.value: expected a number, since ${operator} compares numbers`)
  }
  const [low = 0, high = 0] = operands.map((operand) => numberOf(operand) ?? 0)
  if (operator === "between" && (operands.length !== 2 || low > high)) {
    return problem("invalid", `${path}.value: between needs the value [low, high], and low is at most high`)
  }
  return Either.right(operands)
}

type FilterProblem = "invalid" | "reference"

const isCohortId = Schema.is(CohortId)
const isExperimentId = Schema.is(ExperimentId)
const isGroupId = Schema.is(ExperimentGroupId)

/** The number that a name writes as ids are written: `7`, and neither `7.0` nor `07`, which other readers of the query take for no id. */
const idOf = (name: string): number | null => (/^[1-9][0-9]*$/.test(name) ? Number(name) : null)

const cohortOf = (name: string, path: string): Checked<CohortId, "reference"> => {
  const id = idOf(name)
  return isCohortId(id)
    ? Either.right(id)
    : problem("reference", `${path}.name: there is no cohort ${name} in this environment`)
}

const experimentOf = (name: string, path: string): Checked<ExperimentId, "reference"> => {
  const id = idOf(name)
  return isExperimentId(id)
    ? Either.right(id)
    : problem("reference", `${path}.name: there is no experiment ${name} in this environment`)
}

const referenceOf = (
  source: "cohort" | "experiment",
  { name, operator, value = [] }: FilterRequest,
  path: string
): Checked<Reference, FilterProblem> => {
  const ids = typeof value === "object" ? value : [value]
  const isIn = operator === "isIn"
  if (!isIn && operator !== "isNotIn")
    return problem("invalid", `${path}.operator: expected isIn or isNotIn, since the source is ${source}`)
  if (source === "cohort") {
    const cohortIds = ids.filter(isCohortId)
    return cohortIds.length === ids.length
      ? Either.right({ source, cohortIds, isIn })
      : problem("reference", `${path}.value: expected ids of cohorts, which are whole numbers`)
  }
  const groupIds = ids.filter(isGroupId)
  return groupIds.length === ids.length
    ? Either.map(experimentOf(name, path), (experimentId) => ({ source, experimentId, groupIds, isIn }))
    : problem("reference", `${path}.value: expected ids of groups, which are whole numbers`)
}

const conditionOf = (filter: FilterRequest, path: string): Checked<FilterCondition, FilterProblem> => {
  const { source, name, operator } = filter
  if (source === "cohort" || source === "experiment") return referenceOf(source, filter, path)
  return Either.map(planOperands(filter, path), (operands) => ({ source, name, operator, operands }))
}

/** Plans the filters of a query. `path` locates them in problems. */
export const planFilter = (
  { filters = [], match = "all" }: FiltersRequest,
  path: string
): Checked<Filter, FilterProblem> =>
  Either.map(eachOf(filters.map((filter, index) => conditionOf(filter, `${path}filters.${index}`))), (conditions) => ({
    match,
    conditions
  }))

/** Plans a selector; names must be given, and its filters be sound. `path` locates it in problems. */
export const planSelector = (request: SelectorRequest, path: string): Checked<Selector> => {
  const [first, ...rest] = typeof request.name === "string" ? [request.name] : request.name
  if (first === undefined) return problem("invalid", `${path}name: expected the name of at least one marker`)
  return Either.map(planFilter(request, path), (filter) => ({ types: [first, ...rest], filter }))
}

/** Plans dimensions to group by. `path` locates them in problems. */
export const planDimensions = (
  breakdowns: ReadonlyArray<BreakdownRequest>,
  path: string
): Checked<ReadonlyArray<Dimension>> =>
  eachOf(
    breakdowns.map(({ source, name }, index): Checked<Dimension> => {
      if (source === "cohort")
        return Either.map(cohortOf(name, `${path}.${index}`), (cohortId) => ({ source, name, cohortId }))
      if (source === "experiment")
        return Either.map(experimentOf(name, `${path}.${index}`), (experimentId) => ({ source, name, experimentId }))
      return Either.right({ source, name })
    })
  )

/** Plans the breakdowns of a query: at most two. */
export const planBreakdowns = (breakdowns: ReadonlyArray<BreakdownRequest>): Checked<ReadonlyArray<Dimension>> =>
  breakdowns.length > 2
    ? problem("invalid", "breakdowns: expected at most two")
    : planDimensions(breakdowns, "breakdowns")
