import { Schema } from "effect"
import type { Operator } from "../../../domain/analytics/filter/Filter.ts"
import type { Changeset } from "../../../domain/configuration/Changeset.ts"
import { AssignmentMode, ExperimentStatus, UnitType } from "../../../domain/experiments/Experiment.ts"
import {
  ApplicationId,
  CohortId,
  ConfigurationId,
  EnvironmentId,
  ExperimentGroupId,
  ExperimentId,
  UserId
} from "../../../domain/Ids.ts"
import { Flag, Instant, JsonText } from "../Rows.ts"
import { Trusted } from "../Trusted.ts"

const Scalar = Schema.Union(Schema.String, Schema.Number, Schema.Boolean)
const ended = Schema.Literal("completed", "terminated")
const action = Schema.Literal("set", "step", "advance", "pause", "resume", "replaceSteps")

const Group = Schema.Struct({
  id: ExperimentGroupId,
  name: Schema.String,
  label: Schema.NullOr(Schema.String),
  isControl: Schema.Boolean,
  changeset: Trusted<Changeset>()
})

const Targeting = Schema.Struct({
  cohortIds: Schema.Array(CohortId),
  conditions: Schema.Array(
    Schema.Struct({
      property: Schema.String,
      operator: Trusted<Operator>(),
      operands: Schema.Array(Scalar),
      value: Schema.NullOr(Schema.Union(Scalar, Schema.Array(Scalar)))
    })
  ),
  newUsersOnly: Schema.Boolean
})

const Rollout = Schema.Struct({
  percent: Schema.Number,
  status: Schema.Literal("idle", "ramping", "paused"),
  pausedAt: Schema.NullOr(Schema.Number),
  steps: Schema.Array(
    Schema.Struct({
      at: Schema.Number,
      percent: Schema.Number,
      state: Schema.Literal("pending", "applied", "skipped")
    })
  ),
  history: Schema.Array(Schema.Struct({ at: Schema.Number, action, percent: Schema.Number }))
})

const Progress = Schema.Struct({
  status: ExperimentStatus,
  startsAt: Schema.Number,
  endsAt: Schema.NullOr(Schema.Number),
  terminatedAt: Schema.NullOr(Schema.Number),
  terminationReason: Schema.NullOr(Schema.String),
  winnerGroupId: Schema.NullOr(ExperimentGroupId),
  groups: Schema.Array(Schema.Struct({ id: ExperimentGroupId, weight: Schema.Int, isDropped: Schema.Boolean })),
  rollout: Rollout,
  phases: Schema.Array(
    Schema.Struct({ from: Schema.Number, weights: Schema.Array(Schema.Int), percent: Schema.Number })
  )
})

const LifecycleEvent = Schema.Union(
  Schema.Struct({ type: Schema.Literal("started"), at: Schema.Number }),
  Schema.Struct({ type: Schema.Literal("rolloutChanged"), at: Schema.Number, action }),
  Schema.Struct({ type: Schema.Literal("weightsChanged"), at: Schema.Number }),
  Schema.Struct({ type: Schema.Literal("ended"), at: Schema.Number, status: ended })
)

const Record = Schema.Struct({
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  hypothesis: Schema.NullOr(Schema.String),
  unitType: UnitType,
  assignmentMode: AssignmentMode,
  seed: Schema.String,
  hashVersion: Schema.Number,
  groups: Schema.Array(Group),
  targeting: Targeting,
  autoAssignment: Schema.Boolean,
  permanentEnrollment: Schema.Boolean,
  exclusionLayer: Schema.NullOr(Schema.String),
  holdoutPercent: Schema.Number,
  metrics: Schema.String,
  progress: Progress,
  assignedBefore: Schema.optionalWith(Schema.Array(Schema.Int), { default: () => [] }),
  events: Schema.Array(LifecycleEvent),
  createdBy: Schema.NullOr(Schema.Struct({ id: UserId, email: Schema.String })),
  createdAt: Instant,
  updatedAt: Instant
})

export const ExperimentRow = Schema.Struct({
  id: ExperimentId,
  applicationId: ApplicationId,
  environmentId: EnvironmentId,
  revision: Schema.Int,
  status: ExperimentStatus,
  isOpen: Flag,
  baseConfigurationId: ConfigurationId,
  record: JsonText(Record)
})
