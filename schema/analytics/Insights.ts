import { Schema } from "effect"
import { filtering, grouping, MarkerNames } from "./Filters.ts"
import { optional, withDefault } from "../Optional.ts"
import { BreakdownValues, displayed, QueryMeta } from "./QueryAnswer.ts"
import { QueryTime, ResolvedTime } from "./QueryTime.ts"
import { text } from "../Text.ts"
import { example } from "../Example.ts"

const measures = <const L extends string, F extends Schema.Struct.Fields>(types: ReadonlyArray<L>, fields: F) =>
  types.map((type) => Schema.Struct({ type: Schema.Literal(type), name: MarkerNames, ...filtering, ...fields }))

const argument = text(1, 256)

/** What a metric counts of its markers. The median is the percentile 50. */
export const Measure = Schema.Union(
  ...measures(
    [
      "totalEvents",
      "uniqueUsers",
      "dau",
      "wau",
      "mau",
      "totalSessions",
      "frequencyPerUser",
      "frequencyPerSession",
      "firstTimeUsers"
    ],
    {}
  ),
  ...measures(["sum", "average", "median", "min", "max", "sumPerUser", "averagePerUser"], { argument }),
  ...measures(["percentile"], { argument, percentile: Schema.JsonNumber.pipe(Schema.between(0, 100)) }),
  Schema.Struct({
    type: Schema.Literal("formula"),
    name: optional(text(0, 256)),
    formula: text(1, 1000)
  })
).annotations({ identifier: "Measure" })
export type Measure = typeof Measure.Type

/** Formulas name other metrics by `id`; an invisible metric is computed and not answered. */
export const Metric = Schema.Struct({
  id: Schema.String.pipe(
    Schema.pattern(/^[A-Za-z_][A-Za-z0-9_]{0,31}$/, {
      message: () => "expected 1 to 32 letters, digits or _, beginning with no digit"
    })
  ),
  visible: withDefault(Schema.Boolean, true),
  data: Measure
}).annotations({ identifier: "Metric" })
export type Metric = typeof Metric.Type

/** What the game earns with each player who buys, day by day. */
export const revenuePerPayer = {
  time: { relative: { step: "day", value: 28 } },
  metrics: [
    { id: "revenue", data: { type: "sum", name: "ItemBought", argument: "price" } },
    { id: "payers", data: { type: "uniqueUsers", name: "ItemBought" } },
    { id: "perPayer", data: { type: "formula", name: "Revenue per payer", formula: "revenue / payers" } }
  ],
  breakdowns: [{ source: "property", name: "platform" }]
} as const

/** What an insight asks. */
export const insightFields = {
  time: QueryTime,
  metrics: Schema.NonEmptyArray(Metric),
  ...filtering,
  ...grouping,
  options: withDefault(
    Schema.Struct({
      display: optional(text(1, 64)),
      compare: optional(Schema.Literal("previousPeriod")),
      cumulative: withDefault(Schema.Boolean, false),
      movingAverage: optional(Schema.Int.pipe(Schema.between(2, 365)))
    }),
    { cumulative: false }
  )
}

export const InsightQuery = Schema.Struct(insightFields)
  .annotations({ identifier: "InsightQuery", description: "At most 15 metrics" })
  .pipe(example(revenuePerPayer))
export type InsightQuery = typeof InsightQuery.Type

const points = { values: Schema.Array(Schema.NullOr(Schema.Number)), aggregate: Schema.NullOr(Schema.Number) }

export const InsightSeries = Schema.Struct({
  metricId: Schema.String,
  breakdown: BreakdownValues,
  ...points,
  compare: optional(Schema.Struct({ from: Schema.DateTimeUtc, to: Schema.DateTimeUtc, ...points }))
}).annotations({ identifier: "InsightSeries" })
export type InsightSeries = typeof InsightSeries.Type

export const InsightResult = Schema.Struct({
  time: ResolvedTime,
  buckets: Schema.Array(Schema.DateTimeUtc),
  complete: Schema.Array(Schema.Boolean).annotations({
    description: "Of each bucket whether it is over, so that its values are final but for late markers"
  }),
  series: Schema.Array(InsightSeries),
  ...displayed,
  meta: QueryMeta
}).annotations({ identifier: "InsightResult" })
export type InsightResult = typeof InsightResult.Type
