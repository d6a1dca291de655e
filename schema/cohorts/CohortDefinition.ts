import type { FastCheck } from "effect"
import { Schema } from "effect"
import { CohortId, ExperimentGroupId, ExperimentId } from "../../src/domain/Ids.ts"
import { comparison, filtering, hasOperand, MarkerNames } from "../analytics/Filters.ts"
import { Instant } from "../Instant.ts"
import { oneOf, optional, withDefault } from "../Optional.ts"
import { text } from "../Text.ts"

const unit = oneOf("minute", "hour", "day", "week", "month")
const amount = Schema.Int.pipe(Schema.between(1, 1_000_000))

/** A length of absolute time; a month is 30 days. */
export const Duration = Schema.Struct({ value: amount, unit }).annotations({ identifier: "Duration" })
export type Duration = typeof Duration.Type

const dayNumber = Schema.Int.pipe(Schema.between(0, 10_000))

export const CohortWindow = Schema.Union(
  Schema.Struct({ last: amount, unit }),
  Schema.Struct({ from: Instant, to: Instant }),
  Schema.Struct({ sinceFirstSeen: Schema.Tuple(dayNumber, dayNumber) })
).annotations({
  identifier: "CohortWindow",
  description: "The last so many units, between two instants, or between two days since the unit was first seen"
})
export type CohortWindow = typeof CohortWindow.Type

const selector = { marker: MarkerNames, ...filtering }
const Selector = Schema.Struct(selector).annotations({ identifier: "CohortMarker" })
const quantity = Schema.Union(Schema.JsonNumber, Schema.Tuple(Schema.JsonNumber, Schema.JsonNumber))

const property = Schema.Struct({ type: Schema.Literal("property"), name: text(1, 256), ...comparison }).pipe(
  Schema.filter(hasOperand)
)

const behaviour = Schema.Struct({
  type: Schema.Literal("behaviour"),
  did: withDefault(Schema.Boolean, true),
  ...selector,
  measure: oneOf("count", "sum", "average", "min", "max", "distinctDays"),
  argument: optional(text(1, 256)),
  operator: oneOf("equal", "notEqual", "greaterThan", "greaterThanOrEqual", "lessThan", "lessThanOrEqual", "between"),
  value: quantity,
  window: CohortWindow
}).pipe(
  Schema.filter(({ measure, argument, operator, value }) => {
    const needsArgument = measure !== "count" && measure !== "distinctDays"
    if (needsArgument && argument === undefined) return { path: ["argument"], message: `${measure} needs an argument` }
    if ((operator === "between") === Array.isArray(value)) return true
    return { path: ["value"], message: "between needs the value [low, high], every other operator a number" }
  })
)

const quiet = <const T extends string>(type: T) =>
  Schema.Struct({ type: Schema.Literal(type), ...selector, window: CohortWindow, quietFor: Duration })

export const CohortCondition = Schema.Union(
  property,
  behaviour,
  Schema.Struct({ type: Schema.Literal("firstTime"), ...selector, window: CohortWindow }),
  Schema.Struct({
    type: Schema.Literal("sequence"),
    first: Selector,
    next: Schema.propertySignature(Selector).pipe(Schema.fromKey("then")),
    within: Duration,
    window: CohortWindow
  }),
  quiet("stopped"),
  quiet("restarted"),
  Schema.Struct({ type: Schema.Literal("cohort"), cohortId: CohortId, in: withDefault(Schema.Boolean, true) }),
  Schema.Struct({
    type: Schema.Literal("experiment"),
    experimentId: ExperimentId,
    groupId: optional(ExperimentGroupId),
    in: withDefault(Schema.Boolean, true)
  })
).annotations({ identifier: "CohortCondition" })
export type CohortCondition = typeof CohortCondition.Type

export interface CohortGroup {
  readonly op: "and" | "or"
  readonly negate: boolean
  readonly children: ReadonlyArray<CohortGroup | CohortCondition>
}

interface CohortGroupEncoded {
  readonly op: "and" | "or"
  readonly negate?: boolean
  readonly children: ReadonlyArray<CohortGroupEncoded | typeof CohortCondition.Encoded>
}

const CohortGroup = Schema.Struct({
  op: oneOf("and", "or"),
  negate: withDefault(Schema.Boolean, false),
  children: Schema.Array(
    Schema.Union(
      Schema.suspend((): Schema.Schema<CohortGroup, CohortGroupEncoded> => CohortGroup),
      CohortCondition
    )
  ).pipe(Schema.minItems(1))
}).annotations({ identifier: "CohortGroup" })

/** Units that spent 500 and more, and have not been back for two weeks. */
export const lapsedSpenders = {
  op: "and",
  children: [
    {
      type: "behaviour",
      marker: "ItemBought",
      measure: "sum",
      argument: "price",
      operator: "greaterThanOrEqual",
      value: 500,
      window: { last: 90, unit: "day" }
    },
    { type: "stopped", marker: "Login", window: { last: 90, unit: "day" }, quietFor: { value: 14, unit: "day" } }
  ]
} as const

const isGroup = (node: CohortGroup | CohortCondition): node is CohortGroup => "op" in node

const depthOf = (group: CohortGroup): number => 1 + Math.max(0, ...group.children.filter(isGroup).map(depthOf))

const conditionsOf = (group: CohortGroup): number =>
  group.children.reduce((count, child) => count + (isGroup(child) ? conditionsOf(child) : 1), 0)

const someGroup = (fc: typeof FastCheck): FastCheck.Arbitrary<CohortGroup> => {
  const selector = {
    marker: fc.string({ minLength: 1, maxLength: 20 }),
    filters: fc.constant([]),
    match: fc.constantFrom("all" as const, "any" as const)
  }
  const window = fc.record({
    last: fc.integer({ min: 1, max: 90 }),
    unit: fc.constantFrom("hour" as const, "day" as const)
  })
  const condition = fc.record({ type: fc.constant("firstTime" as const), ...selector, window })
  const group = <A>(child: FastCheck.Arbitrary<A>) =>
    fc.record({
      op: fc.constantFrom("and" as const, "or" as const),
      negate: fc.boolean(),
      children: fc.array(child, { minLength: 1, maxLength: 3 })
    })
  return group(fc.oneof(condition, group(condition)))
}

/** Who belongs: conditions joined by `and` and `or`, nested at most 5 deep, at most 50 of them. */
export const CohortDefinition = CohortGroup.pipe(
  Schema.filter((group) =>
    depthOf(group) > 5 || conditionsOf(group) > 50 ? "expected at most 50 conditions, nested at most 5 deep" : true
  )
).annotations({ identifier: "CohortDefinition", arbitrary: () => someGroup })
export type CohortDefinition = typeof CohortDefinition.Type
