import { FastCheck as fc } from "effect"
import type { CohortMeasure, CohortOperator } from "../../../src/domain/cohorts/CohortDefinition.ts"
import type {
  CohortGroup,
  CohortPlan,
  PlannedCondition,
  PlannedWindow,
  StoppedCondition
} from "../../../src/domain/cohorts/CohortPlan.ts"
import { operand, operator, origin, reference, selector, tick, ticks } from "../analytics/PlanParts.ts"

const instant = fc.integer({ min: -1, max: ticks + 1 }).map((at) => origin + at * tick)

const window: fc.Arbitrary<PlannedWindow> = fc.oneof(
  fc.tuple(instant, fc.integer({ min: 1, max: ticks })).map(([from, length]) => ({
    since: "epoch" as const,
    from,
    to: from + length * tick
  })),
  fc.tuple(fc.integer({ min: 0, max: ticks / 2 }), fc.integer({ min: 1, max: ticks })).map(([from, length]) => ({
    since: "firstSeen" as const,
    from: from * tick,
    to: (from + length) * tick
  }))
)

const length = fc.integer({ min: 0, max: 8 }).map((count) => count * tick)

const behaviour = fc.record({
  type: fc.constant("behaviour" as const),
  did: fc.boolean(),
  selector,
  measure: fc.constantFrom<Array<CohortMeasure>>("count", "count", "sum", "average", "min", "max", "distinctDays"),
  argument: fc.constantFrom("a", "nowhere"),
  zone: fc.constantFrom("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"),
  operator: fc.constantFrom<Array<CohortOperator>>(
    "equal",
    "notEqual",
    "greaterThan",
    "greaterThanOrEqual",
    "lessThan",
    "lessThanOrEqual",
    "between"
  ),
  value: fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 })),
  window
})

const quiet: fc.Arbitrary<StoppedCondition> = fc.record({
  type: fc.constant("stopped" as const),
  selector,
  window,
  quietFrom: instant
})

const property: fc.Arbitrary<PlannedCondition> = fc
  .record({ name: fc.constantFrom("p", "nowhere"), operator, operands: fc.tuple(operand, operand) })
  .map(({ name, operator, operands }) => ({
    type: "property" as const,
    comparison: {
      source: "property" as const,
      name,
      operator,
      operands: operator === "isSet" || operator === "isNotSet" ? [] : operands
    }
  }))

const referred: fc.Arbitrary<PlannedCondition> = reference.map((named) => ({
  type: "reference" as const,
  reference: named
}))

const condition: fc.Arbitrary<PlannedCondition> = fc.oneof(
  property,
  { weight: 3, arbitrary: behaviour },
  fc.record({ type: fc.constant("firstTime" as const), selector, window }),
  fc.record({ type: fc.constant("sequence" as const), first: selector, next: selector, within: length, window }),
  quiet,
  fc.record({ type: fc.constant("restarted" as const), selector, window, quietFor: length }),
  referred
)

const group = (child: fc.Arbitrary<CohortGroup | PlannedCondition>): fc.Arbitrary<CohortGroup> =>
  fc.record({
    op: fc.constantFrom("and" as const, "or" as const),
    negate: fc.boolean(),
    children: fc.array(child, { minLength: 1, maxLength: 3 })
  })

export const cohortPlan: fc.Arbitrary<CohortPlan> = group(
  fc.oneof({ weight: 3, arbitrary: condition }, group(condition))
)

/** Whom a list of players is about. */
export const playersWho: fc.Arbitrary<CohortPlan> = fc.record({
  op: fc.constantFrom("and" as const, "and" as const, "or" as const),
  negate: fc.constant(false),
  children: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    fc.array(fc.oneof(property, referred), { minLength: 1, maxLength: 2 })
  )
})
