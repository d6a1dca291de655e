import { Option } from "effect"
import { type Buckets, bucketsOf, type TimeSpan } from "../../../../../src/domain/analytics/time/Buckets.ts"
import type { Step } from "../../../../../src/domain/Calendar.ts"
import { unfiltered, type Operator } from "../../../../../src/domain/analytics/filter/Filter.ts"
import type { InsightPlan, Measure, Metric } from "../../../../../src/domain/analytics/insight/InsightPlan.ts"
import { zoneNamed } from "../../../../../src/domain/Zone.ts"
import { all, any, byOperator, common, dimensions, inCohort, inExperiment, of, rare, where } from "./Selectors.ts"

export const origin = Date.UTC(2026, 2, 26)
export const hour = 3_600_000
export const day = 24 * hour

/** All markers lie in it, and the night of the clock change in Berlin. */
export const range: TimeSpan = { from: origin - day, to: origin + 8 * day }

export const bucketed = (zone: string, step: Step, within: TimeSpan = range): Buckets =>
  bucketsOf({ zone: Option.getOrThrow(zoneNamed(zone)), weekStart: 0 }, step, within)

const daily = bucketed("Europe/Berlin", "day")

const spans = (days: number) =>
  [...daily.boundaries.slice(1), daily.boundaries.at(-1)!].map((to) => ({ from: to - days * day, to }))

const counts = [
  ...["totalEvents", "uniqueUsers", "totalSessions", "frequencyPerUser", "frequencyPerSession", "firstTimeUsers"]
] as const

/** Over columns of whole numbers, decimals, doubles and values of several kinds. */
const measured = ["level", "price", "share", "large", "huge", "wide", "negative", "mixed", "a"]

/** The compiler asks for a measure that is missing. */
const measures: Readonly<Record<Measure["type"], ReadonlyArray<Measure>>> = {
  totalEvents: [{ type: "totalEvents" }],
  uniqueUsers: [{ type: "uniqueUsers" }],
  totalSessions: [{ type: "totalSessions" }],
  frequencyPerUser: [{ type: "frequencyPerUser" }],
  frequencyPerSession: [{ type: "frequencyPerSession" }],
  firstTimeUsers: [{ type: "firstTimeUsers" }],
  activeUsers: ([1, 7, 30] as const).map((days) => ({ type: "activeUsers", days, spans: spans(days) })),
  sum: measured.map((argument) => ({ type: "sum", argument })),
  average: [{ type: "average", argument: "price" }],
  min: [{ type: "min", argument: "large" }],
  max: [{ type: "max", argument: "wide" }],
  sumPerUser: [{ type: "sumPerUser", argument: "level" }],
  averagePerUser: [{ type: "averagePerUser", argument: "share" }],
  percentile: [50, 95].map((percentile) => ({ type: "percentile", argument: "share", percentile }))
}

const everyMeasure = Object.values(measures).flat()

const metric = (measure: Measure, at: number, selector = common): Metric => ({ id: `M${at}`, selector, measure })

const plan = (changes: Partial<InsightPlan>): InsightPlan => {
  const buckets = changes.buckets ?? daily
  return {
    range: { from: buckets.boundaries[0]!, to: buckets.boundaries.at(-1)! },
    buckets,
    metrics: [metric({ type: "totalEvents" }, 0)],
    filter: unfiltered,
    breakdowns: [],
    breakdownLimit: 3,
    groups: null,
    cumulative: false,
    ...changes
  }
}

const brokenDown = Object.entries(dimensions).map(([name, breakdowns]) => [
  `by ${name}`,
  plan({ breakdowns, metrics: everyMeasure.slice(0, 3).map((measure, at) => metric(measure, at)) })
])

const operators: ReadonlyArray<readonly [Operator, (typeof byOperator)[Operator]]> = Object.entries(
  byOperator
) as ReadonlyArray<readonly [Operator, (typeof byOperator)[Operator]]>

const filtered = operators.map(([operator, conditions]) => [
  `where ${operator}`,
  plan({
    metrics: conditions.map((condition, at) =>
      metric({ type: "uniqueUsers" }, at, { types: ["a", "b", "c", "Level Start", "Purchase"], filter: all(condition) })
    )
  })
])

export const insights: Readonly<Record<string, InsightPlan>> = {
  ...Object.fromEntries(brokenDown),
  ...Object.fromEntries(filtered),
  "every measure": plan({ metrics: everyMeasure.map((measure, at) => metric(measure, at)) }),
  "every measure so far": plan({
    metrics: everyMeasure.filter(({ type }) => type !== "activeUsers").map((measure, at) => metric(measure, at)),
    cumulative: true
  }),
  "every measure of rare types": plan({ metrics: everyMeasure.map((measure, at) => metric(measure, at, rare)) }),
  hours: plan({ buckets: bucketed("Asia/Kathmandu", "hour", { from: origin, to: origin + day }) }),
  weeks: plan({ buckets: bucketed("UTC", "week"), metrics: counts.map((type, at) => metric({ type }, at)) }),
  months: plan({ buckets: bucketed("UTC", "month"), metrics: counts.map((type, at) => metric({ type }, at)) }),
  "the groups given": plan({
    breakdowns: dimensions["a whole number"]!,
    groups: [[3], [null], [99]]
  }),
  "members of cohorts": plan({ filter: all(inCohort(true)), breakdowns: dimensions["an experiment"]! }),
  "members of none": plan({ filter: all(inCohort(false)) }),
  "units of an experiment": plan({ filter: any(inExperiment(true), where("level", "equal", [7])) }),
  "two selectors": plan({
    metrics: [
      metric({ type: "uniqueUsers" }, 0, of("Level Start", all(where("level", "greaterThan", [6])))),
      metric({ type: "sum", argument: "price" }, 1, of("Purchase"))
    ],
    filter: all(inExperiment(false))
  })
}
