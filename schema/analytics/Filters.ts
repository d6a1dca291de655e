import { Schema } from "effect"
import { CohortId, ExperimentGroupId } from "../../src/domain/Ids.ts"
import { asItIs } from "../AsItIs.ts"
import { synonyms } from "../Elsewhere.ts"
import { oneOf, optional, withDefault } from "../Optional.ts"
import { text } from "../Text.ts"

export const MarkerName = text(1, 256)

/** A marker type, or a list of them: any of these. */
export const MarkerNames = Schema.Union(
  MarkerName,
  Schema.NonEmptyArray(MarkerName).pipe(Schema.maxItems(50))
).annotations({ identifier: "MarkerNames" })
export type MarkerNames = typeof MarkerNames.Type

export const Scalar = Schema.Union(text(0, 8192), Schema.JsonNumber, Schema.Boolean).annotations({
  identifier: "Scalar"
})
export type Scalar = typeof Scalar.Type

/** A value of a group. A list is its JSON text, which may be longer than any value that a marker can have. */
export const GroupValue = Schema.Union(Schema.String, Schema.JsonNumber, Schema.Boolean).annotations({
  identifier: "GroupValue"
})

export const Operator = oneOf(
  "is",
  "isNot",
  "contains",
  "notContains",
  "equal",
  "notEqual",
  "greaterThan",
  "greaterThanOrEqual",
  "lessThan",
  "lessThanOrEqual",
  "between",
  "isSet",
  "isNotSet",
  "isIn",
  "isNotIn"
).annotations({
  identifier: "Operator",
  ...synonyms({
    ">": "greaterThan",
    gt: "greaterThan",
    ">=": "greaterThanOrEqual",
    gte: "greaterThanOrEqual",
    atLeast: "greaterThanOrEqual",
    "<": "lessThan",
    lt: "lessThan",
    "<=": "lessThanOrEqual",
    lte: "lessThanOrEqual",
    atMost: "lessThanOrEqual",
    "=": "equal",
    "==": "equal",
    "===": "equal",
    eq: "equal",
    equals: "equal",
    "!=": "notEqual",
    "!==": "notEqual",
    "<>": "notEqual",
    ne: "notEqual",
    neq: "notEqual",
    notEquals: "notEqual",
    in: "isIn",
    notIn: "isNotIn",
    exists: "isSet",
    like: "contains"
  })
})
export type Operator = typeof Operator.Type

const operand = Schema.Union(Scalar, Schema.Array(Scalar).pipe(Schema.maxItems(1000)))

interface Comparison {
  readonly operator: Operator
  readonly value?: typeof operand.Type | undefined
}

const misuse = ({ operator, value }: Comparison): string | undefined => {
  if (operator === "isSet" || operator === "isNotSet") return undefined
  if (value === undefined) return `${operator} needs a value`
  if (operator !== "between") return undefined
  return Array.isArray(value) && value.length === 2 ? undefined : "between needs the value [low, high]"
}

/** Refuses an operator without the value it needs, naming the field. */
export const hasOperand = (comparison: Comparison) => {
  const message = misuse(comparison)
  return message === undefined ? true : { path: ["value"], message }
}

/** Operator and value of one comparison. isSet and isNotSet take no value, between takes [low, high], a list means any of it. */
export const comparison = { operator: Operator, value: optional(operand) }

const valueFilter = <const S extends string>(source: S) =>
  Schema.Struct({ source: Schema.Literal(source), name: text(1, 256), ...comparison }).pipe(Schema.filter(hasOperand))

const membership = oneOf("isIn", "isNotIn")

const ofProperty = valueFilter("property")

const ofCohort = Schema.Struct({
  source: Schema.Literal("cohort"),
  name: text(1, 256),
  operator: membership,
  value: Schema.NonEmptyArray(CohortId).pipe(Schema.maxItems(100))
})

const ofExperiment = Schema.Struct({
  source: Schema.Literal("experiment"),
  name: text(1, 256),
  operator: membership,
  value: Schema.NonEmptyArray(ExperimentGroupId).pipe(Schema.maxItems(100))
})

/** One condition on a marker or its unit. */
export const Filter = asItIs(
  Schema.Union(valueFilter("argument"), ofProperty, ofCohort, ofExperiment).annotations({ identifier: "Filter" })
)
export type Filter = typeof Filter.Type

/** One condition on a player: what markers carry as arguments is not the player's. */
export const PlayerFilter = asItIs(
  Schema.Union(ofProperty, ofCohort, ofExperiment).annotations({ identifier: "PlayerFilter" })
)
export type PlayerFilter = typeof PlayerFilter.Type

/** Conditions, and whether all of them or any of them must hold. */
export const filtering = {
  filters: withDefault(Schema.Array(Filter).pipe(Schema.maxItems(100)), []),
  match: withDefault(oneOf("all", "any"), "all")
}

export const Breakdown = Schema.Struct({
  source: oneOf("argument", "property", "cohort", "experiment"),
  name: text(1, 256)
}).annotations({ identifier: "Breakdown" })
export type Breakdown = typeof Breakdown.Type

/** What groups a result, and how many groups stand for themselves; the rest are merged as `Other`. */
export const grouping = {
  breakdowns: withDefault(Schema.Array(Breakdown).pipe(Schema.maxItems(2)), []),
  breakdownLimit: withDefault(Schema.Int.pipe(Schema.between(1, 100)), 25)
}
