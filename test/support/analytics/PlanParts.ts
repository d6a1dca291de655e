import { FastCheck as fc, Option } from "effect"
import type { Dimension } from "../../../src/domain/analytics/filter/Breakdown.ts"
import { type Buckets, bucketsOf, type TimeSpan } from "../../../src/domain/analytics/time/Buckets.ts"
import type { FilterCondition, Filter, Operator, Reference } from "../../../src/domain/analytics/filter/Filter.ts"
import type { Selector } from "../../../src/domain/analytics/filter/Selector.ts"
import { CohortId, ExperimentGroupId, ExperimentId } from "../../../src/domain/Ids.ts"
import { zoneNamed } from "../../../src/domain/Zone.ts"

/** The night of a clock change in Berlin lies in the middle of what `worlds` generate. */
export const origin = Date.UTC(2026, 2, 26)

export const tick = 3_600_000 * 5

export const ticks = 30

export const types = ["a", "b", "c"] as const

export const operator = fc.constantFrom<Array<Operator>>(
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
)

/** Types of measures that need no argument, but for active users, which need spans. */
export const countingMeasure = fc.constantFrom(
  "totalEvents" as const,
  "uniqueUsers" as const,
  "totalSessions" as const,
  "frequencyPerUser" as const,
  "frequencyPerSession" as const,
  "firstTimeUsers" as const
)

export const operand = fc.constantFrom<Array<string | number | boolean>>("", "x", "X", "y", 1, 2.5, "3", 3, true, "2.5")

const name = fc.constantFrom("a", "p", "nowhere")

const source = fc.constantFrom("argument" as const, "property" as const)

const members = fc.subarray(["u0", "u1", "u2", "nobody"]).map((units) => ({ key: units.join(), units: new Set(units) }))

const cohortId = fc.integer({ min: 1, max: 3 }).map((id) => CohortId.make(id))

const experimentId = fc.integer({ min: 1, max: 2 }).map((id) => ExperimentId.make(id))

const groupId = fc.integer({ min: 1, max: 3 }).map((id) => ExperimentGroupId.make(id))

/** Of cohorts and experiments that may have units or not. */
export const reference: fc.Arbitrary<Reference> = fc.oneof(
  fc.record({
    source: fc.constant("cohort" as const),
    cohortIds: fc.array(cohortId, { minLength: 1, maxLength: 2 }),
    isIn: fc.boolean()
  }),
  fc.record({
    source: fc.constant("experiment" as const),
    experimentId,
    groupIds: fc.array(groupId, { maxLength: 2 }),
    isIn: fc.boolean()
  })
)

const condition: fc.Arbitrary<FilterCondition> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({ source, name, operator, operands: fc.tuple(operand, operand) })
      .map((one) =>
        Object.assign(one, { operands: one.operator === "isSet" || one.operator === "isNotSet" ? [] : one.operands })
      )
  },
  {
    weight: 1,
    arbitrary: fc.record({ source: fc.constant("cohort" as const), members, isIn: fc.boolean() })
  },
  { weight: 2, arbitrary: reference }
)

export const filter: fc.Arbitrary<Filter> = fc.record({
  match: fc.constantFrom("all" as const, "any" as const),
  conditions: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(condition, { maxLength: 3 }) }
  )
})

export const selector: fc.Arbitrary<Selector> = fc.record({
  types: fc.oneof(
    fc.constantFrom<Array<Selector["types"]>>(["a"], ["b"], ["c"], ["never"]),
    fc.constant<Selector["types"]>(["a", "b"])
  ),
  filter
})

export const groups = fc.constantFrom("left", "right").map((key) => ({
  key,
  groups: new Map([
    ["u0", key],
    ["u1", "middle"]
  ]),
  otherwise: null
}))

export const dimension: fc.Arbitrary<Dimension> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ source, name }) },
  { weight: 1, arbitrary: fc.record({ source: fc.constant("experiment" as const), name: fc.constant("e"), groups }) },
  {
    weight: 1,
    arbitrary: cohortId.map((id) => ({ source: "cohort" as const, name: String(id), cohortId: id }))
  },
  {
    weight: 1,
    arbitrary: experimentId.map((id) => ({ source: "experiment" as const, name: String(id), experimentId: id }))
  }
)

export const dimensions = fc.oneof({ weight: 1, arbitrary: fc.constant([]) }, fc.array(dimension, { maxLength: 2 }))

export const range: fc.Arbitrary<TimeSpan> = fc
  .tuple(fc.integer({ min: -3, max: ticks + 3 }), fc.integer({ min: 0, max: ticks + 6 }))
  .map(([from, length]) => ({ from: origin + from * tick, to: origin + (from + length) * tick + 1 }))

const calendar = fc.constantFrom("UTC", "Europe/Berlin", "Asia/Kathmandu").map((zone) => ({
  zone: Option.getOrThrow(zoneNamed(zone)),
  weekStart: 0 as const
}))

export const bucketed: fc.Arbitrary<{ readonly range: TimeSpan; readonly buckets: Buckets }> = fc
  .tuple(range, calendar, fc.constantFrom("hour" as const, "day" as const, "week" as const, "month" as const))
  .map(([asked, zone, step]) => {
    const buckets = bucketsOf(zone, step, asked)
    return { range: { from: buckets.boundaries[0]!, to: asked.to }, buckets }
  })
