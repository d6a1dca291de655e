import { Effect } from "effect"
import {
  type FilterCondition,
  elementTest,
  type Filter,
  type Operator,
  type ValueCondition
} from "../../../domain/analytics/filter/Filter.ts"
import { elementsOf, numberOf } from "../../../domain/analytics/filter/Value.ts"
import type { Scalar } from "../../../domain/analytics/markers/Event.ts"
import type { ClickHouseProblem } from "../ClickHouse.ts"
import { textLiterals } from "../Literals.ts"
import { listOf } from "../MarkerRows.ts"
import { BeyondSql } from "./BeyondSql.ts"
import { finishedStays, type Generations } from "./Members.ts"
import { amongDoubles, byType, doubleLiteral, type Paths, pathsOf, type ValueTypes } from "./Paths.ts"

/** Distinct values that are tested one by one. */
export const mostValues = 5000

/** The values of one name and type. */
export interface ConditionValues {
  readonly source: "argument" | "property"
  readonly name: string
  readonly type: keyof Paths
}

/** The distinct values that the markers of a question have. */
export type Distinct = <Row extends readonly [unknown]>(
  values: ConditionValues
) => Effect.Effect<ReadonlyArray<Row>, ClickHouseProblem | BeyondSql>

/** The types of values that any marker has of a name. */
export type TypesOf = (source: ConditionValues["source"], name: string) => Effect.Effect<ValueTypes, ClickHouseProblem>

type Expression = Effect.Effect<string, ClickHouseProblem | BeyondSql>

const negations: ReadonlySet<Operator> = new Set(["isNot", "notContains", "notEqual", "isNotIn", "isNotSet"])
const ofTexts: ReadonlySet<Operator> = new Set(["is", "isNot", "isIn", "isNotIn"])
const ofParts: ReadonlySet<Operator> = new Set(["contains", "notContains"])

const amongTexts = (path: string, texts: ReadonlyArray<string>): string =>
  texts.length === 0 ? "false" : `${path} in (${textLiterals(texts)})`

/** Whether a number satisfies the positive form of the operator. */
const numberTest = (path: string, { operator, operands }: ValueCondition): string => {
  const numbers = operands.map(numberOf).filter((number) => number !== null)
  const compared = (sign: string, operand: number): string =>
    numbers.length === 0 ? "false" : `${path} ${sign} ${doubleLiteral(operand)}`
  switch (operator) {
    case "is":
    case "isNot":
    case "isIn":
    case "isNotIn": {
      const written = operands.map(String).filter((text) => String(Number(text)) === text)
      return amongDoubles(path, written.map(Number).filter(Number.isFinite))
    }
    case "equal":
    case "notEqual":
      return amongDoubles(path, numbers)
    case "greaterThan":
      return compared(">", Math.min(...numbers))
    case "greaterThanOrEqual":
      return compared(">=", Math.min(...numbers))
    case "lessThan":
      return compared("<", Math.max(...numbers))
    case "lessThanOrEqual":
      return compared("<=", Math.max(...numbers))
    case "between": {
      const [low = null, high = null] = operands.map(numberOf)
      return low === null || high === null
        ? "false"
        : `(${path} >= ${doubleLiteral(low)} and ${path} <= ${doubleLiteral(high)})`
    }
    case "contains":
    case "notContains":
    case "isSet":
    case "isNotSet":
      return "true"
  }
}

/**
 * Conditions as expressions. What only the domain can decide about values (their text, parts of it, whether a text spells a number) it
 * decides about each distinct value; the ones that pass are named.
 */
export const makeConditions = (environment: number, generations: Generations, distinct: Distinct, typesOf: TypesOf) => {
  const lists = (
    { list }: Paths,
    { source, name }: ValueCondition,
    holds: (elements: ReadonlyArray<Scalar>) => boolean
  ): Expression =>
    Effect.map(distinct<readonly [string]>({ source, name, type: "list" }), (found) =>
      amongTexts(
        list,
        found.flatMap(([text]) => (holds(elementsOf(listOf(text))) ? [text] : []))
      )
    )

  const texts = (
    { text }: Paths,
    condition: ValueCondition,
    holds: (elements: ReadonlyArray<Scalar>) => boolean
  ): Expression => {
    const { operator, operands, source, name } = condition
    if (operator === "isSet" || operator === "isNotSet") return Effect.succeed(String(operator === "isSet"))
    if (ofTexts.has(operator)) {
      const named = amongTexts(text, operands.map(String))
      return Effect.succeed(negations.has(operator) ? `not (${named})` : named)
    }
    return Effect.map(distinct<readonly [string]>({ source, name, type: "text" }), (found) =>
      amongTexts(
        text,
        found.flatMap(([value]) => (holds([value]) ? [value] : []))
      )
    )
  }

  const numbers = (
    { number }: Paths,
    condition: ValueCondition,
    holds: (elements: ReadonlyArray<Scalar>) => boolean
  ): Expression => {
    const { operator, source, name } = condition
    if (ofParts.has(operator))
      return Effect.map(distinct<readonly [number]>({ source, name, type: "number" }), (found) =>
        amongDoubles(
          number,
          found.flatMap(([value]) => (holds([value]) ? [value] : []))
        )
      )
    const test = numberTest(number, condition)
    return Effect.succeed(negations.has(operator) ? `not (${test})` : test)
  }

  const ofValue = (condition: ValueCondition): Expression => {
    const paths = pathsOf(condition.source, condition.name)
    const holds = elementTest(condition.operator, condition.operands)
    const boolean = `if(assumeNotNull(${paths.boolean}), ${holds([true])}, ${holds([false])})`
    return Effect.map(
      Effect.all([
        typesOf(condition.source, condition.name),
        numbers(paths, condition, holds),
        texts(paths, condition, holds),
        lists(paths, condition, holds)
      ]),
      ([types, number, text, list]) => {
        const test = byType(
          types,
          [
            ["number", `isNotNull(${paths.number})`, number],
            ["text", `ifNull(${paths.text}, '') != ''`, text],
            ["boolean", `isNotNull(${paths.boolean})`, boolean],
            ["list", `isNotNull(${paths.list})`, list]
          ],
          String(holds([]))
        )
        return types.size === 0 ? test : `ifNull(${test}, false)`
      }
    )
  }

  /** Whether the unit is a member of one of the cohorts. */
  const isMember = (cohortIds: ReadonlyArray<number>): string => {
    const where = finishedStays(environment, new Map([...generations].filter(([cohort]) => cohortIds.includes(cohort))))
    return where === null
      ? "false"
      : `(hasUnit and unit in (select unit from stay where ${where} group by cohort, unit having argMax(entered, at)))`
  }

  const condition = (one: FilterCondition): Expression => {
    if ("operator" in one) return ofValue(one)
    if (!("cohortIds" in one)) return new BeyondSql()
    const member = isMember(one.cohortIds)
    return Effect.succeed(one.isIn ? member : `not ${member}`)
  }

  const filter = ({ match, conditions }: Filter): Expression =>
    conditions.length === 0
      ? Effect.succeed("true")
      : Effect.map(Effect.forEach(conditions, condition), (all) => `(${all.join(match === "all" ? " and " : " or ")})`)

  return { filter, isMember }
}

export type Conditions = ReturnType<typeof makeConditions>
