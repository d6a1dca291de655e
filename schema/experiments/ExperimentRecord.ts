import { Schema } from "effect"
import * as Experiment from "../../src/domain/experiments/Experiment.ts"
import {
  ApplicationId,
  CohortId,
  ConfigurationId,
  EnvironmentId,
  ExperimentGroupId,
  ExperimentId
} from "../../src/domain/Ids.ts"
import { basedOn } from "../BasedOn.ts"
import { ExperimentMetrics } from "./ExperimentMetric.ts"
import { comparison, hasOperand } from "../analytics/Filters.ts"
import { Instant } from "../Instant.ts"
import { Json } from "../Json.ts"
import { Creator } from "../access/KeyRecord.ts"
import { oneOf, optional, withDefault } from "../Optional.ts"
import { elsewhere } from "../Elsewhere.ts"
import { Percent, RolloutPlan } from "./Rollout.ts"
import { KnownTitle, text, Title } from "../Text.ts"
import { example } from "../Example.ts"

export const ExperimentStatus = Experiment.ExperimentStatus.annotations({ identifier: "ExperimentStatus" })

/** A draft has not been started: it holds no path, enrols nobody and takes no part in its layer. */
export const RecordStatus = Schema.Literal("draft", ...Experiment.ExperimentStatus.literals).annotations({
  identifier: "ExperimentRecordStatus"
})
export const UnitType = Experiment.UnitType.annotations({ identifier: "UnitType" })
export const AssignmentMode = Experiment.AssignmentMode.annotations({ identifier: "AssignmentMode" })

const path = Schema.Array(text(0, 256)).pipe(Schema.maxItems(32))

/** What a group changes in the base configuration, in order; `add` is another word for `set`. */
export const Changeset = Schema.Struct({
  operations: Schema.Array(
    Schema.Union(
      Schema.Struct({ op: Schema.Literal("set"), path, value: Json }),
      Schema.Struct({ op: Schema.Literal("add"), path, value: Json }),
      Schema.Struct({ op: Schema.Literal("delete"), path })
    )
  ).pipe(Schema.maxItems(1000))
}).annotations({ identifier: "Changeset" })
export type Changeset = typeof Changeset.Type

const condition = Schema.Struct({ property: text(1, 128), ...comparison }).pipe(Schema.filter(hasOperand))

/** Who may be enrolled: any of the cohorts, all of the conditions. */
export const Targeting = Schema.Struct({
  cohortIds: withDefault(Schema.Array(CohortId).pipe(Schema.maxItems(20)), []),
  conditions: withDefault(Schema.Array(condition).pipe(Schema.maxItems(50)), []),
  newUsersOnly: withDefault(Schema.Boolean, false)
}).annotations({ identifier: "Targeting" })
export type Targeting = typeof Targeting.Type

/** Plans are stored as they are sent, and read again by the same rules. */
const NewGroup = Schema.Struct({
  name: KnownTitle,
  label: optional(Schema.NullOr(KnownTitle)),
  weight: Schema.Int.pipe(Schema.between(0, 10_000)),
  isControl: withDefault(Schema.Boolean, false),
  changeset: withDefault(Changeset, { operations: [] })
}).annotations({ identifier: "NewExperimentGroup", description: "Weights are basis points and add up to 10000" })

const hypothesis = text(0, 2000)
const description = text(0, 2000)

const stored = {
  name: KnownTitle,
  description: optional(Schema.NullOr(description)),
  hypothesis: optional(Schema.NullOr(hypothesis)),
  unitType: UnitType,
  assignmentMode: AssignmentMode,
  baseConfigurationId: ConfigurationId,
  groups: Schema.Array(NewGroup).pipe(Schema.maxItems(8)),
  targeting: optional(Targeting),
  autoAssignment: withDefault(Schema.Boolean, true),
  permanentEnrollment: withDefault(Schema.Boolean, true),
  exclusionLayer: optional(Schema.NullOr(text(1, 64))),
  holdoutPercent: withDefault(Percent, 0),
  rollout: withDefault(Schema.Struct({ percent: Percent, steps: withDefault(RolloutPlan, []) }), {
    percent: 100,
    steps: []
  }),
  metrics: withDefault(ExperimentMetrics, { goals: [], guardrails: [] }),
  startsAt: optional(Schema.NullOr(Instant)),
  endsAt: optional(Schema.NullOr(Instant))
}

const planned = { ...stored, name: Title }

/** The plan of a draft as it was stored. */
export const StoredExperimentPlan = Schema.Struct(stored)

const cheaper = {
  name: "Starter pack price",
  hypothesis: "A cheaper starter pack sells to more players",
  unitType: "user" as const,
  assignmentMode: "weightedHash" as const,
  baseConfigurationId: 1,
  groups: [
    { name: "As it is", weight: 5000, isControl: true },
    {
      name: "Cheaper",
      weight: 5000,
      changeset: { operations: [{ op: "set" as const, path: ["shop", "starterPack", "price"], value: 299 }] }
    }
  ],
  targeting: { conditions: [{ property: "properties.level", operator: "greaterThanOrEqual" as const, value: 5 }] },
  rollout: { percent: 10 },
  metrics: {
    goals: [{ id: "buyers", name: "Buyers", type: "proportion" as const, marker: "ItemBought", withinDays: 7 }]
  }
}

/** What a draft is: the plan of an experiment, of which groups, weights, metrics and times are looked at when it is started. */
export const ExperimentPlan = Schema.Struct(planned)
  .annotations({
    identifier: "ExperimentPlan",
    description: "A draft is looked at as a whole when it is started: until then it may have no groups, and any weights"
  })
  .pipe(example({ ...cheaper, holdoutPercent: 5 }))
export type ExperimentPlan = typeof ExperimentPlan.Type

/** Another plan for a draft. */
export const ReplacePlan = Schema.Struct({ ...planned, basedOn })
  .annotations({ identifier: "ReplaceExperimentPlan" })
  .pipe(example({ ...cheaper, holdoutPercent: 5 }))
export type ReplacePlan = typeof ReplacePlan.Type

export const CreateExperiment = Schema.Struct({ ...planned, status: optional(oneOf("draft")) })
  .annotations({
    identifier: "CreateExperiment",
    description:
      "Without `startsAt` it starts at once. It has 2 to 8 groups; with the status `draft` it may have fewer, and is kept until POST /v2/experiments/{experimentId}/start"
  })
  .pipe(example(cheaper))
export type CreateExperiment = typeof CreateExperiment.Type

const fixed = "it is fixed once the experiment is made"

/** What a change of an experiment does not do. */
const places = {
  rollout: "change it with PATCH /v2/experiments/{experimentId}/rollout",
  groups: "change their shares with weights, take some out with dropGroupIds",
  status: "end it with POST /v2/experiments/{experimentId}/terminate, hold it with PATCH …/rollout",
  winnerGroupId: "name the winner in POST /v2/experiments/{experimentId}/terminate",
  targeting: fixed,
  holdoutPercent: fixed,
  exclusionLayer: fixed,
  startsAt: fixed,
  unitType: fixed,
  assignmentMode: fixed,
  baseConfigurationId: fixed,
  autoAssignment: fixed,
  permanentEnrollment: fixed
}

export const UpdateExperiment = Schema.Struct({
  name: optional(Title),
  description: optional(Schema.NullOr(description)),
  hypothesis: optional(Schema.NullOr(hypothesis)),
  metrics: optional(ExperimentMetrics),
  endsAt: optional(Schema.NullOr(Instant)),
  weights: optional(
    Schema.Array(
      Schema.Struct({ groupId: ExperimentGroupId, weight: Schema.Int.pipe(Schema.between(0, 10_000)) })
    ).pipe(Schema.maxItems(8))
  ),
  dropGroupIds: optional(Schema.Array(ExperimentGroupId).pipe(Schema.maxItems(8))),
  basedOn
})
  .annotations({
    ...elsewhere(places),
    identifier: "UpdateExperiment",
    description:
      "`weights` routes new units only and opens a phase; weight 0 takes no new units. A dropped group takes none either, and its units get the base"
  })
  .pipe(
    example({
      hypothesis: "A cheaper starter pack sells to more players and earns no less",
      weights: [
        { groupId: 1, weight: 2000 },
        { groupId: 2, weight: 8000 }
      ]
    })
  )
export type UpdateExperiment = typeof UpdateExperiment.Type

export const ExperimentGroup = Schema.Struct({
  id: ExperimentGroupId,
  ordinal: Schema.Int,
  name: Schema.String,
  label: Schema.NullOr(Schema.String),
  weight: Schema.Int,
  isControl: Schema.Boolean,
  changeset: Changeset
}).annotations({ identifier: "ExperimentGroup" })
export type ExperimentGroup = typeof ExperimentGroup.Type

export const CohortComputation = Schema.Struct({
  cohortId: CohortId,
  status: oneOf("ready", "computing", "failed"),
  error: Schema.NullOr(Schema.String)
}).annotations({ identifier: "CohortComputation" })
export type CohortComputation = typeof CohortComputation.Type

const phase = Schema.Struct({
  from: Schema.DateTimeUtc,
  weights: Schema.Array(Schema.Int),
  percent: Schema.Number
})

/**
 * `degraded`: a group changes a path that the base no longer has; `missingPaths` are these paths. Weights of a phase are by ordinal. Only
 * of a draft may `startsAt` be null: it then starts whenever it is started.
 */
export const ExperimentRecord = Schema.Struct({
  id: ExperimentId,
  applicationId: ApplicationId,
  environmentId: EnvironmentId,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  hypothesis: Schema.NullOr(Schema.String),
  status: RecordStatus,
  unitType: UnitType,
  assignmentMode: AssignmentMode,
  baseConfigurationId: ConfigurationId,
  groups: Schema.Array(ExperimentGroup),
  targeting: Targeting,
  autoAssignment: Schema.Boolean,
  permanentEnrollment: Schema.Boolean,
  exclusionLayer: Schema.NullOr(Schema.String),
  holdoutPercent: Schema.Number,
  rollout: Schema.Struct({ percent: Schema.Number, steps: RolloutPlan }),
  metrics: ExperimentMetrics,
  phases: Schema.Array(phase),
  degraded: Schema.Boolean,
  missingPaths: Schema.Array(Schema.Struct({ groupId: ExperimentGroupId, path: Schema.Array(Schema.String) })),
  startsAt: Schema.NullOr(Schema.DateTimeUtc),
  endsAt: Schema.NullOr(Schema.DateTimeUtc),
  terminatedAt: Schema.NullOr(Schema.DateTimeUtc),
  terminationReason: Schema.NullOr(Schema.String),
  winnerGroupId: Schema.NullOr(ExperimentGroupId),
  cohortComputations: Schema.Array(CohortComputation),
  createdBy: Schema.NullOr(Creator),
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc
}).annotations({ identifier: "Experiment" })
export type ExperimentRecord = typeof ExperimentRecord.Type
