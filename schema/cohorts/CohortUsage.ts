import { Schema } from "effect"
import { CohortId, ExperimentId, QueryId } from "../../src/domain/Ids.ts"
import { ExperimentStatus } from "../experiments/ExperimentRecord.ts"

const experiments = Schema.Array(Schema.Struct({ id: ExperimentId, name: Schema.String, status: ExperimentStatus }))

const users = {
  experiments: experiments.annotations({
    description: "Experiments that target the cohort: while one of them may enrol, the cohort cannot be deleted"
  }),
  metricExperiments: experiments.annotations({
    description:
      "Experiments with a metric that is filtered by the cohort: once it is deleted, their results say nothing of that metric"
  }),
  queries: Schema.Array(Schema.Struct({ id: QueryId, name: Schema.String }))
}

export const CohortUse = Schema.Struct({
  id: CohortId,
  ...users,
  perDay90: Schema.Array(Schema.NullOr(Schema.Int)).annotations({
    description:
      "Members at the end of each of the last 90 days of the project's zone, oldest first; the last one is now, and null stands before the first computation"
  })
}).annotations({ identifier: "CohortUse" })
export type CohortUse = typeof CohortUse.Type

export const CohortUsage = Schema.Struct({
  ...users,
  history: Schema.Array(
    Schema.Struct({ at: Schema.DateTimeUtc, memberCount: Schema.Int, entered: Schema.Int, left: Schema.Int })
  )
}).annotations({ identifier: "CohortUsage" })
export type CohortUsage = typeof CohortUsage.Type
