import { Schema } from "effect"
import {
  AlertId,
  ApplicationId,
  CohortId,
  EnvironmentId,
  ExperimentId,
  IncidentId,
  QueryId
} from "../../../domain/Ids.ts"
import { PersonColumn } from "../PersonColumn.ts"
import { Flag, Instant, JsonText } from "../Rows.ts"

const number = Schema.NullOr(Schema.Number)

const least = { minimumSample: Schema.Number, falseOnceInWeeks: Schema.Number }

const Condition = Schema.Union(
  Schema.Struct({
    kind: Schema.Literal("change"),
    direction: Schema.Literal("drop", "rise", "either"),
    percent: Schema.Number,
    weeks: Schema.Number,
    ...least
  }),
  Schema.Struct({ kind: Schema.Literal("threshold"), above: number, below: number, ...least })
)

const windows = { queryId: QueryId, every: Schema.Literal("hour", "day"), condition: Condition }

const Watch = Schema.Union(
  Schema.Struct({ kind: Schema.Literal("query"), ...windows, metricId: Schema.NullOr(Schema.String) }),
  Schema.Struct({ kind: Schema.Literal("funnelStep"), ...windows, step: Schema.Number }),
  Schema.Struct({
    kind: Schema.Literal("silence"),
    names: Schema.Union(Schema.String, Schema.NonEmptyArray(Schema.String)),
    minutes: Schema.Number
  }),
  Schema.Struct({
    kind: Schema.Literal("guardrail", "sampleRatio"),
    experimentId: Schema.NullOr(ExperimentId)
  }),
  Schema.Struct({ kind: Schema.Literal("cohort"), cohortId: Schema.NullOr(CohortId) })
)

const Look = Schema.NullOr(
  Schema.Struct({
    verdict: Schema.Literal("fine", "fired", "unclear"),
    value: number,
    expected: number,
    low: number,
    high: number,
    of: number
  })
)

const Found = Schema.Struct({ from: Schema.Number, to: Schema.Number, look: Look, text: Schema.String })

export const AlertRow = Schema.Struct({
  id: AlertId,
  applicationId: ApplicationId,
  environmentId: EnvironmentId,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  watch: JsonText(Watch),
  delayMinutes: Schema.Int,
  isActive: Flag,
  state: Schema.Literal("new", "fine", "fired", "unclear", "broken"),
  since: Instant,
  found: Schema.NullOr(JsonText(Found)),
  problem: Schema.NullOr(Schema.String),
  failures: Schema.Int,
  calm: Schema.Int,
  nextAt: Schema.Int,
  mutedUntil: Schema.NullOr(Instant),
  createdBy: PersonColumn,
  updatedBy: PersonColumn,
  createdAt: Instant,
  updatedAt: Instant
})

export const NewIncidentRow = Schema.Struct({
  alertId: AlertId,
  startedAt: Instant,
  endedAt: Schema.NullOr(Instant),
  text: Schema.String,
  look: JsonText(Look),
  objects: JsonText(Schema.Array(Schema.String)),
  told: Flag,
  acknowledgedBy: PersonColumn,
  acknowledgedAt: Schema.NullOr(Instant),
  note: Schema.NullOr(Schema.String)
})

export const IncidentRow = Schema.Struct({ id: IncidentId, ...NewIncidentRow.fields })
