import { Schema } from "effect"
import { QueryId } from "../../src/domain/Ids.ts"
import { filtering, MarkerNames } from "../analytics/Filters.ts"
import { oneOf, optional, withDefault } from "../Optional.ts"
import { KnownTitle, text } from "../Text.ts"

const argument = text(1, 256)
const days = Schema.Int.pipe(Schema.between(1, 365))
const aggregation = withDefault(oneOf("count", "sum"), "count")

const common = {
  id: text(1, 64),
  name: KnownTitle,
  direction: withDefault(oneOf("increase", "decrease"), "increase")
}

const counted = {
  ...common,
  marker: MarkerNames,
  ...filtering,
  withinDays: optional(days)
}

/** What an experiment is judged by. `withinDays` and `day` count from the unit's first exposure. */
export const ExperimentMetric = Schema.Union(
  Schema.Struct({ type: Schema.Literal("proportion"), ...counted }),
  Schema.Struct({ type: Schema.Literal("mean"), ...counted, aggregation, argument: optional(argument) }),
  Schema.Struct({
    type: Schema.Literal("ratio"),
    ...counted,
    aggregation,
    argument: optional(argument),
    denominator: Schema.Struct({ marker: MarkerNames, ...filtering, argument: optional(argument) })
  }),
  Schema.Struct({ type: Schema.Literal("retention"), ...common, marker: MarkerNames, ...filtering, day: days }),
  Schema.Struct({ type: Schema.Literal("funnel"), ...common, marker: optional(MarkerNames), queryId: QueryId })
).annotations({ identifier: "ExperimentMetric" })
export type ExperimentMetric = typeof ExperimentMetric.Type

const metrics = Schema.Array(ExperimentMetric).pipe(Schema.maxItems(20))

export const ExperimentMetrics = Schema.Struct({
  goals: withDefault(metrics, []),
  guardrails: withDefault(metrics, [])
}).annotations({ identifier: "ExperimentMetrics", description: "Every metric has an id of its own" })
export type ExperimentMetrics = typeof ExperimentMetrics.Type
