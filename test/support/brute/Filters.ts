import { FastCheck as fc } from "effect"
import type { CohortId } from "../../../src/domain/Ids.ts"
import { numberIn, type Sent, types, type Value } from "./Sent.ts"

type Scalar = string | number | boolean

const texts = fc.array(fc.constantFrom<Array<Scalar>>("", "x", "X", "y", 1, 2.5, "3", 3, true, "2.50"), {
  minLength: 1,
  maxLength: 2
})
const amounts = fc.array(fc.constantFrom<Array<Scalar>>(-4, 0, 1, "2.5", 3), { minLength: 1, maxLength: 2 })
const source = fc.constantFrom("argument" as const, "property" as const)
const name = fc.constantFrom("a", "p")

const comparison = fc.oneof(
  fc.record({
    source,
    name,
    operator: fc.constantFrom(
      "is" as const,
      "isNot" as const,
      "isIn" as const,
      "isNotIn" as const,
      "contains" as const,
      "notContains" as const
    ),
    value: texts
  }),
  fc.record({
    source,
    name,
    operator: fc.constantFrom("equal" as const, "notEqual" as const),
    value: texts
  }),
  fc.record({
    source,
    name,
    operator: fc.constantFrom(
      "greaterThan" as const,
      "greaterThanOrEqual" as const,
      "lessThan" as const,
      "lessThanOrEqual" as const
    ),
    value: amounts
  }),
  fc.record({
    source,
    name,
    operator: fc.constant("between" as const),
    value: fc
      .tuple(fc.integer({ min: -5, max: 3 }), fc.integer({ min: 0, max: 4 }))
      .map(([low, size]) => [low, low + size])
  }),
  fc.record({
    source,
    name,
    operator: fc.constantFrom("isSet" as const, "isNotSet" as const),
    value: fc.constant(undefined)
  }),
  fc.record({
    source: fc.constant("cohort" as const),
    name: fc.constant("cohort"),
    operator: fc.constantFrom("isIn" as const, "isNotIn" as const),
    value: fc.subarray([1, 2], { minLength: 1 })
  })
)

type Comparison = typeof comparison extends fc.Arbitrary<infer A> ? A : never

/** Two cohorts. */
export const members: Readonly<Record<number, ReadonlyArray<string>>> = { 1: ["u1"], 2: ["u2", "nobody"] }

export const memberships = {
  cohort: (id: CohortId) => new Set(members[id] ?? []),
  experiment: () => new Map<string, number>()
}

/** Half of the questions have no filters. */
export const filters = fc.record({
  match: fc.constantFrom("all" as const, "any" as const),
  filters: fc.oneof(fc.constant([]), fc.array(comparison, { maxLength: 2 }))
})

export type Filters = typeof filters extends fc.Arbitrary<infer A> ? A : never

const isSame = (one: Scalar, two: Scalar): boolean => `${one}` === `${two}`

/** The empty text is as good as none, alone and in a list. */
const elementsOf = (value: Value | undefined): ReadonlyArray<Scalar> => {
  if (value === undefined) return []
  const elements = typeof value === "object" ? value : [value]
  return elements.filter((one) => one !== "")
}

const holds = (value: Value | undefined, operator: string, operands: ReadonlyArray<Scalar>): boolean => {
  const elements = elementsOf(value)
  const isAny = (test: (element: Scalar, operand: Scalar) => boolean) =>
    elements.some((element) => operands.some((operand) => test(element, operand)))
  const isAnyNumber = (test: (element: number, operand: number) => boolean) =>
    isAny((element, operand) => {
      const [left, right] = [numberIn(element), numberIn(operand)]
      return left !== null && right !== null && test(left, right)
    })
  switch (operator) {
    case "is":
    case "isIn":
      return elements.length === 0 ? operands.includes("") : isAny(isSame)
    case "isNot":
    case "isNotIn":
      return !holds(value, "is", operands)
    case "contains":
      return isAny((element, operand) => `${element}`.toLowerCase().includes(`${operand}`.toLowerCase()))
    case "notContains":
      return !holds(value, "contains", operands)
    case "equal":
      if (elements.length === 0) return operands.includes("")
      return isAny((element, operand) => {
        const [left, right] = [numberIn(element), numberIn(operand)]
        return left === null ? isSame(element, operand) : left === right
      })
    case "notEqual":
      return !holds(value, "equal", operands)
    case "greaterThan":
      return isAnyNumber((left, right) => left > right)
    case "greaterThanOrEqual":
      return isAnyNumber((left, right) => left >= right)
    case "lessThan":
      return isAnyNumber((left, right) => left < right)
    case "lessThanOrEqual":
      return isAnyNumber((left, right) => left <= right)
    case "between":
      return elements.map(numberIn).some((one) => one !== null && +operands[0]! <= one && one <= +operands[1]!)
    case "isSet":
      return elements.length > 0
    case "isNotSet":
      return elements.length === 0
    default:
      return false
  }
}

const isTrueOf = (one: Sent, { source, name, operator, value }: Comparison): boolean => {
  if (source === "cohort") {
    const isMember = value.some((id) => one.unit !== null && members[id]!.includes(one.unit))
    return isMember === (operator === "isIn")
  }
  const values: Readonly<Record<string, Value | undefined>> = source === "argument" ? { a: one.a } : { p: one.p }
  return holds(values[name], operator, value ?? [])
}

export const passes = (one: Sent, { match, filters }: Filters): boolean => {
  if (filters.length === 0) return true
  const isTrue = (filter: Comparison) => isTrueOf(one, filter)
  return match === "all" ? filters.every(isTrue) : filters.some(isTrue)
}

/** What selects markers: one name or several, and filters. */
export const selection = fc
  .record({ name: fc.oneof(fc.constantFrom(...types), fc.constant(["A", "B"])), filters })
  .map(({ name, filters: { match, filters } }) => ({ name, match, filters }))

export type Selection = typeof selection extends fc.Arbitrary<infer A> ? A : never

export const isSelected = (one: Sent, asked: Selection): boolean =>
  (typeof asked.name === "string" ? asked.name === one.type : asked.name.includes(one.type)) && passes(one, asked)
