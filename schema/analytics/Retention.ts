import { Schema } from "effect"
import { filtering, grouping, MarkerNames } from "./Filters.ts"
import { oneOf, optional, withDefault } from "../Optional.ts"
import { BreakdownValues, displayed, QueryMeta } from "./QueryAnswer.ts"
import { QueryTime } from "./QueryTime.ts"
import { text } from "../Text.ts"
import { example } from "../Example.ts"

const RetentionMarker = Schema.Struct({ name: MarkerNames, ...filtering }).annotations({
  identifier: "RetentionMarker"
})

const interval = Schema.Int.pipe(Schema.between(1, 180))

export const Criterion = Schema.Union(
  oneOf("on", "onOrBefore", "onOrAfter"),
  Schema.Struct({ brackets: Schema.NonEmptyArray(Schema.Tuple(interval, interval)).pipe(Schema.maxItems(180)) })
).annotations({
  identifier: "RetentionCriterion",
  description: "Brackets [a, b] are contiguous and inclusive; the first starts at 1"
})
export type Criterion = typeof Criterion.Type

/** What a question about retention asks. */
export const retentionFields = {
  time: QueryTime,
  start: RetentionMarker,
  return: optional(RetentionMarker),
  interval: oneOf("day", "week", "month"),
  intervals: interval,
  startMode: withDefault(oneOf("recurring", "firstTime"), "recurring"),
  criterion: withDefault(Criterion, "on"),
  window: withDefault(oneOf("calendar", "rolling24h"), "calendar"),
  minimumOccurrences: withDefault(Schema.Int.pipe(Schema.between(1, 1000)), 1),
  dateBy: withDefault(oneOf("start", "return"), "start"),
  ...grouping,
  ...filtering,
  options: withDefault(Schema.Struct({ display: optional(text(1, 64)) }), {})
}

/** Who comes back in the weeks after the tutorial. */
export const backAfterTutorial = {
  time: { step: "week", relative: { step: "week", value: 8 } },
  start: { name: "TutorialCompleted" },
  return: { name: "Login" },
  interval: "week",
  intervals: 8,
  startMode: "firstTime"
} as const

export const RetentionQuery = Schema.Struct(retentionFields)
  .annotations({ identifier: "RetentionQuery", description: "Without `return`, the start marker is the return too" })
  .pipe(example(backAfterTutorial))
export type RetentionQuery = typeof RetentionQuery.Type

const value = { interval: Schema.Int, count: Schema.Int, rate: Schema.Number, complete: Schema.Boolean }
const values = Schema.Array(Schema.Struct(value))

const totals = Schema.Array(
  Schema.Struct({
    ...value,
    size: Schema.Int.annotations({ description: "The units of the rows that are over, which the rate divides by" }),
    complete: Schema.Boolean.annotations({
      description:
        "False only while no row is over, so that there is no number yet: rows that are not over are left out"
    })
  })
)

export const RetentionSeries = Schema.Struct({
  breakdown: BreakdownValues,
  cohorts: Schema.Array(Schema.Struct({ start: Schema.DateTimeUtc, size: Schema.Int, values })),
  total: Schema.Struct({ size: Schema.Int, values: totals })
}).annotations({
  identifier: "RetentionSeries",
  description:
    "One cohort for each period of `time`, with one value for each of the `intervals`. interval counts from 1, rate is in percent of size"
})
export type RetentionSeries = typeof RetentionSeries.Type

export const RetentionResult = Schema.Struct({
  series: Schema.Array(RetentionSeries),
  ...displayed,
  meta: QueryMeta
}).annotations({ identifier: "RetentionResult" })
export type RetentionResult = typeof RetentionResult.Type
