import { Schema } from "effect"
import { GroupValue } from "./Filters.ts"
import { optional } from "../Optional.ts"

/** A name of the question that no marker of the environment ever had, and the name that was seen and is most like it. */
export const QueryWarning = Schema.Struct({
  kind: Schema.Literal("marker", "argument", "property"),
  name: Schema.String,
  nearest: Schema.NullOr(Schema.String),
  message: Schema.String
}).annotations({ identifier: "QueryWarning" })
export type QueryWarning = typeof QueryWarning.Type

export const Incomplete = Schema.Struct({
  rows: Schema.Int,
  from: Schema.DateTimeUtc,
  to: Schema.DateTimeUtc
}).annotations({
  identifier: "Incomplete",
  description:
    "Markers that the answer lacks, because the disk or a copy damaged them: how many, of any type, and the instants of the first and the last"
})
export type Incomplete = typeof Incomplete.Type

/** What an answer cost, and the instant up to which it counts. */
export const QueryMeta = Schema.Struct({
  rowsScanned: Schema.Int,
  elapsedMs: Schema.Number,
  asOf: Schema.DateTimeUtc,
  sampled: Schema.Literal(false),
  cached: Schema.Boolean,
  incomplete: optional(Incomplete),
  warnings: optional(Schema.Array(QueryWarning))
}).annotations({ identifier: "QueryMeta" })
export type QueryMeta = typeof QueryMeta.Type

/** The group of a series: one value for each breakdown; null is missing or empty. */
export const BreakdownValues = Schema.Array(
  Schema.Struct({ name: Schema.String, value: Schema.NullOr(GroupValue) })
).annotations({ identifier: "BreakdownValues" })
export type BreakdownValues = typeof BreakdownValues.Type

/** How a request names a series. */
export const ChosenBreakdown = Schema.Union(BreakdownValues, Schema.Literal("other"))

export const chosenBreakdown =
  "The `breakdown` of a series as the answer tells it. Where a group is called Other too, `other` names the one that merges those past the limit"

/** `options.display` of the query, if it was sent. */
export const displayed = { display: optional(Schema.String) }
