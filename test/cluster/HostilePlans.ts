import { FastCheck as fc } from "effect"
import { unfiltered, type Filter } from "../../src/domain/analytics/filter/Filter.ts"
import type { InsightPlan, Measure } from "../../src/domain/analytics/insight/InsightPlan.ts"
import type { Question } from "../../src/domain/analytics/question/Question.ts"
import { countingMeasure, operator } from "../support/analytics/PlanParts.ts"
import { hour, names, start, value } from "./HostileMarkers.ts"

/** Local days of Berlin: the fourth has 25 hours. */
const days = [-2, 22, 46, 71, 95, 119, 143].map((hours) => start + hours * hour)
const range = { from: days[0]!, to: days.at(-1)! }

const source = fc.constantFrom("argument" as const, "property" as const)
const name = fc.constantFrom(...names)
const scalar = value.filter((each) => typeof each !== "object")

const filter: fc.Arbitrary<Filter> = fc.record({
  match: fc.constantFrom("all" as const, "any" as const),
  conditions: fc.array(fc.record({ source, name, operator, operands: fc.tuple(scalar, scalar) }), { maxLength: 2 })
}) as fc.Arbitrary<Filter>

const selector = fc.record({ types: fc.constantFrom(["A", "B"], ["C'\\"], ["A", "nobody"]), filter }) as fc.Arbitrary<
  InsightPlan["metrics"][number]["selector"]
>

const measure: fc.Arbitrary<Measure> = fc.oneof(
  fc.record({ type: countingMeasure }),
  fc.record({
    type: fc.constantFrom("sum" as const, "average" as const, "min" as const, "max" as const, "sumPerUser" as const),
    argument: name
  }),
  fc.record({
    type: fc.constant("percentile" as const),
    argument: name,
    percentile: fc.constantFrom(0, 25, 50, 95, 99.9, 100)
  })
)

const insight: fc.Arbitrary<Question> = fc
  .record({
    metrics: fc.array(fc.record({ selector, measure }), { minLength: 1, maxLength: 2 }),
    breakdowns: fc.array(fc.record({ source, name }), { maxLength: 2 }),
    breakdownLimit: fc.constantFrom(1, 3, 100)
  })
  .map(({ metrics, breakdowns, breakdownLimit }) => ({
    kind: "insight" as const,
    plan: {
      range,
      buckets: { step: "day" as const, zone: "Europe/Berlin", boundaries: days },
      metrics: metrics.map((metric, index) => ({ id: `m${index}`, ...metric })),
      filter: unfiltered,
      breakdowns,
      breakdownLimit,
      groups: null,
      cumulative: false
    }
  }))

const counted: fc.Arbitrary<Question> = selector.map((chosen) => ({
  kind: "countedUnits" as const,
  plan: { selector: chosen, range, minimum: 1, maximum: 3, limit: 5 }
}))

const heatmap: fc.Arbitrary<Question> = selector.map((chosen) => ({
  kind: "heatmap" as const,
  plan: {
    range,
    selectors: [chosen],
    filter: unfiltered,
    bounds: { pointA: { x: -7.3, y: 0, z: 8 }, pointB: { x: 8.1, y: 3, z: -8 } },
    resolution: { x: 7, y: 5 }
  }
}))

const step = selector.map((chosen) => ({ selector: chosen, optional: false }))

const funnel: fc.Arbitrary<Question> = fc
  .record({ steps: fc.tuple(step, step), filter, window: fc.constantFrom(hour, 20 * hour) })
  .map((chosen) => ({
    kind: "funnel" as const,
    plan: {
      range,
      order: "ordered" as const,
      exclusions: [],
      holdConstant: [],
      breakdowns: [],
      breakdownLimit: 5,
      attribution: { type: "first" as const },
      overTime: null,
      ...chosen
    }
  }))

const retention: fc.Arbitrary<Question> = fc
  .record({
    start: selector,
    return: selector,
    filter,
    startMode: fc.constantFrom("recurring" as const, "firstTime" as const)
  })
  .map((chosen) => ({
    kind: "retention" as const,
    plan: {
      periods: { step: "day" as const, zone: "Europe/Berlin", boundaries: days },
      firstRow: 0,
      rows: 4,
      criterion: { type: "on" as const, columns: 2 },
      window: "calendar" as const,
      minimumOccurrences: 1,
      dateBy: "start" as const,
      breakdowns: [],
      breakdownLimit: 5,
      ...chosen
    }
  }))

const listing: fc.Arbitrary<Question> = filter.map((chosen) => ({
  kind: "listing" as const,
  plan: { range, types: null, unitId: null, filter: chosen, limit: 10, after: null }
}))

/** Questions that ClickHouse computes, about hostile markers. */
export const questions = fc.array(
  fc.oneof({ weight: 4, arbitrary: insight }, counted, heatmap, funnel, retention, listing),
  { minLength: 3, maxLength: 6 }
)
