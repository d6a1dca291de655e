import { Schema } from "effect"
import { filtering } from "../analytics/Filters.ts"
import { withDefault } from "../Optional.ts"
import { example } from "../Example.ts"
import { ExperimentMetric } from "./ExperimentMetric.ts"

/** Asks what metrics are now, of the players that pass the filters, so that an experiment can be planned. */
export const EstimateExperiment = Schema.Struct({
  metrics: withDefault(Schema.Array(ExperimentMetric).pipe(Schema.maxItems(40)), []),
  ...filtering,
  days: withDefault(Schema.Int.pipe(Schema.between(1, 90)), 28)
})
  .annotations({
    identifier: "EstimateExperiment",
    description:
      "A player counts from the first of its markers of the last `days` days that passes the filters, as if it had been exposed then"
  })
  .pipe(
    example({
      metrics: [{ id: "buyers", name: "Buyers", type: "proportion", marker: "ItemBought", withinDays: 7 }],
      days: 28
    })
  )
export type EstimateExperiment = typeof EstimateExperiment.Type

const EstimatedMetric = Schema.Struct({
  id: Schema.String,
  n: Schema.Int,
  mean: Schema.NullOr(Schema.Number),
  variance: Schema.NullOr(Schema.Number)
}).annotations({
  identifier: "EstimatedMetric",
  description:
    "`n` are the players whose time is over, where the metric has one; `variance` is of one player, null without players"
})

export const ExperimentEstimate = Schema.Struct({
  asOf: Schema.DateTimeUtc,
  units: Schema.Int,
  unitsByDay: Schema.Array(Schema.Int),
  metrics: Schema.Array(EstimatedMetric)
}).annotations({
  identifier: "ExperimentEstimate",
  description:
    "`unitsByDay` are the players who came first on each day of the project's zone, the present one last and not over: an experiment would have met so many in its first days"
})
export type ExperimentEstimate = typeof ExperimentEstimate.Type
