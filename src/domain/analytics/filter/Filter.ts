import type { CohortId, ExperimentGroupId, ExperimentId } from "../../Ids.ts"
import { type Scalar, type StoredEvent, valueNamed } from "../markers/Event.ts"
import { elementsOf, numberOf } from "./Value.ts"

export type Operator =
  | "is"
  | "isNot"
  | "contains"
  | "notContains"
  | "equal"
  | "notEqual"
  | "greaterThan"
  | "greaterThanOrEqual"
  | "lessThan"
  | "lessThanOrEqual"
  | "between"
  | "isSet"
  | "isNotSet"
  | "isIn"
  | "isNotIn"

/**
 * The units of a resolved cohort or set of experiment groups. Equal keys mean equal units, so that stores can cache
 * what they derive.
 */
export interface UnitSet {
  readonly key: string
  readonly units: ReadonlySet<string>
}

/**
 * Compares one value of a marker. `operands` is empty for isSet and isNotSet, [low, high] for between, otherwise at
 * least one (any may match).
 */
export interface ValueCondition {
  readonly source: "argument" | "property"
  readonly name: string
  readonly operator: Operator
  readonly operands: ReadonlyArray<Scalar>
}

/** Whether the marker's unit is a member of any of the cohorts. */
export interface CohortReference {
  readonly source: "cohort"
  readonly cohortIds: ReadonlyArray<CohortId>
  readonly isIn: boolean
}

/** Whether the marker's unit is in any of the named groups of the experiment; if none is named, in any group. */
export interface ExperimentReference {
  readonly source: "experiment"
  readonly experimentId: ExperimentId
  readonly groupIds: ReadonlyArray<ExperimentGroupId>
  readonly isIn: boolean
}

/** A condition on units that only a store can resolve. */
export type Reference = CohortReference | ExperimentReference

/** A resolved reference: whether the marker's unit is in the set. A marker without a unit is in no set. */
export interface MembershipCondition {
  readonly source: "cohort" | "experiment"
  readonly members: UnitSet
  readonly isIn: boolean
}

export type FilterCondition = ValueCondition | Reference | MembershipCondition

/** A filter without conditions accepts every marker, whatever `match` says. */
export interface Filter {
  readonly match: "all" | "any"
  readonly conditions: ReadonlyArray<FilterCondition>
}

/** The filter that accepts every marker. */
export const unfiltered: Filter = { match: "all", conditions: [] }

type Test = (element: Scalar) => boolean

const sameText = (operands: ReadonlyArray<Scalar>): Test => {
  const texts = new Set(operands.map(String))
  return (element) => texts.has(String(element))
}

const sameNumberOrText = (operands: ReadonlyArray<Scalar>): Test => {
  const numbers = new Set(operands.map(numberOf).filter((number) => number !== null))
  const isSame = sameText(operands)
  return (element) => {
    const number = numberOf(element)
    return number === null ? isSame(element) : numbers.has(number)
  }
}

const containsText = (operands: ReadonlyArray<Scalar>): Test => {
  const texts = operands.map((operand) => String(operand).toLowerCase())
  return (element) => texts.some((text) => String(element).toLowerCase().includes(text))
}

const compare = (operands: ReadonlyArray<Scalar>, holds: (value: number, operand: number) => boolean): Test => {
  const numbers = operands.map(numberOf).filter((number) => number !== null)
  return (element) => {
    const value = numberOf(element)
    return value !== null && numbers.some((number) => holds(value, number))
  }
}

const between = (operands: ReadonlyArray<Scalar>): Test => {
  const [low = null, high = null] = operands.map(numberOf)
  if (low === null || high === null) return () => false
  return (element) => {
    const value = numberOf(element)
    return value !== null && low <= value && value <= high
  }
}

const tests: Record<Operator, (operands: ReadonlyArray<Scalar>) => Test> = {
  is: sameText,
  isNot: sameText,
  isIn: sameText,
  isNotIn: sameText,
  contains: containsText,
  notContains: containsText,
  equal: sameNumberOrText,
  notEqual: sameNumberOrText,
  greaterThan: (operands) => compare(operands, (value, operand) => value > operand),
  greaterThanOrEqual: (operands) => compare(operands, (value, operand) => value >= operand),
  lessThan: (operands) => compare(operands, (value, operand) => value < operand),
  lessThanOrEqual: (operands) => compare(operands, (value, operand) => value <= operand),
  between,
  isSet: () => () => true,
  isNotSet: () => () => true
}

/** Tests that the text of a value may satisfy as a whole, and so the empty text. */
const wholeTexts: ReadonlySet<(typeof tests)[Operator]> = new Set([sameText, sameNumberOrText])

const negations: ReadonlySet<Operator> = new Set(["isNot", "notContains", "notEqual", "isNotIn", "isNotSet"])

/**
 * Returns a test of a value's elements. A comparison holds if any element satisfies it; a negation holds if its
 * positive form does not, hence also for a missing value. A missing value equals the empty string.
 */
export const elementTest = (operator: Operator, operands: ReadonlyArray<Scalar>) => {
  const isNegated = negations.has(operator)
  const test = tests[operator](operands)
  const isEmptyNamed = wholeTexts.has(tests[operator]) && operands.includes("")
  return (elements: ReadonlyArray<Scalar>): boolean =>
    (elements.length === 0 ? isEmptyNamed : elements.some(test)) !== isNegated
}

const nobody: ReadonlySet<string> = new Set()

const conditionTest = (condition: FilterCondition): ((event: StoredEvent) => boolean) => {
  if ("isIn" in condition) {
    const { isIn } = condition
    const units = "members" in condition ? condition.members.units : nobody
    return (event) => (event.unitId !== null && units.has(event.unitId)) === isIn
  }
  const { source, name } = condition
  const holds = elementTest(condition.operator, condition.operands)
  return source === "argument"
    ? (event) => holds(elementsOf(valueNamed(event.arguments, name)))
    : (event) => holds(elementsOf(valueNamed(event.properties, name)))
}

/** The filter as a test of markers. Unresolved references have no members. */
export const filterTest = ({ match, conditions }: Filter): ((event: StoredEvent) => boolean) => {
  const tests = conditions.map(conditionTest)
  if (tests.length === 0) return () => true
  return match === "all" ? (event) => tests.every((test) => test(event)) : (event) => tests.some((test) => test(event))
}
