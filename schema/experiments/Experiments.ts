import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { ExperimentGroupId } from "../../src/domain/Ids.ts"
import { Overloaded } from "../RequestErrors.ts"
import { ApplicationNotFound, EnvironmentNotFound, Forbidden } from "../access/AccessErrors.ts"
import { QueryTimeout, ReferenceInvalid, TimeRangeInvalid, TooManyQueries } from "../analytics/AnalyticsErrors.ts"
import { CohortNotFound } from "../cohorts/CohortErrors.ts"
import { ConfigurationInvalid, PathLocked } from "../configuration/ConfigurationErrors.ts"
import {
  ExperimentChanged,
  ExperimentEnded,
  ExperimentInvalid,
  ExperimentLimitReached,
  ExperimentIsDraft,
  ExperimentNotFound,
  MetricNotFound,
  RolloutConflict
} from "./ExperimentErrors.ts"
import { SessionOrPat } from "../access/Auth.ts"
import { CatalogEntry, ContextProperty, ExperimentCount, GroupCount } from "./ExperimentCounts.ts"
import {
  CohortComputation,
  CreateExperiment,
  ExperimentRecord,
  RecordStatus,
  UpdateExperiment
} from "./ExperimentRecord.ts"
import { EstimateExperiment, ExperimentEstimate } from "./Estimate.ts"
import { optional, withDefault } from "../Optional.ts"
import { applicationId, cohortId, experimentId, OptionalEnvironmentHeader } from "../Parameters.ts"
import { RolloutChange, RolloutRecord } from "./Rollout.ts"
import { ResultsQuery, Scorecard } from "./Scorecard.ts"
import { text } from "../Text.ts"
import { requires } from "../access/RequiredPermission.ts"
import { example } from "../Example.ts"

const OfStatus = Schema.Struct({ status: optional(RecordStatus) })

export const TerminateExperiment = Schema.NullOr(
  Schema.Struct({
    reason: optional(text(0, 500)),
    winnerGroupId: optional(Schema.NullOr(ExperimentGroupId)),
    applyToBase: withDefault(Schema.Boolean, false)
  }).annotations({ identifier: "TerminateExperiment", description: "applyToBase needs a winner" })
).pipe(example({ reason: "Cheaper sells more", winnerGroupId: 2, applyToBase: true }))
export type TerminateExperiment = typeof TerminateExperiment.Type

export class ExperimentsGroup extends HttpApiGroup.make("experiments")
  .add(
    HttpApiEndpoint.get("list")`/application/${applicationId}/v2/experiments`
      .setHeaders(OptionalEnvironmentHeader)
      .setUrlParams(OfStatus)
      .addSuccess(Schema.Array(ExperimentRecord))
      .annotateContext(requires("experiments:read", "environment"))
      .annotate(OpenApi.Summary, "Experiments of the environment")
  )
  .add(
    HttpApiEndpoint.post("create")`/application/${applicationId}/v2/experiments`
      .setHeaders(OptionalEnvironmentHeader)
      .setPayload(CreateExperiment)
      .addSuccess(ExperimentRecord, { status: 201 })
      .addError(ExperimentLimitReached)
      .addError(PathLocked)
      .addError(ExperimentInvalid)
      .addError(ConfigurationInvalid)
      .addError(ReferenceInvalid)
      .annotateContext(requires("experiments:write", "environment"))
      .annotate(OpenApi.Summary, "Create an experiment on a configuration, or a draft of one")
  )
  .add(
    HttpApiEndpoint.post("estimate")`/application/${applicationId}/v2/experiments/estimate`
      .setHeaders(OptionalEnvironmentHeader)
      .setPayload(EstimateExperiment)
      .addSuccess(ExperimentEstimate)
      .addError(ExperimentInvalid)
      .addError(ReferenceInvalid)
      .addError(QueryTimeout)
      .addError(Overloaded)
      .addError(TooManyQueries)
      .annotateContext(requires("experiments:read", "environment"))
      .annotate(OpenApi.Summary, "What metrics are now, and how many players an experiment would meet")
  )
  .add(
    HttpApiEndpoint.get("catalog")`/application/${applicationId}/v2/experiments/analytics-catalog`
      .setHeaders(OptionalEnvironmentHeader)
      .addSuccess(Schema.Array(CatalogEntry))
      .annotateContext(requires("experiments:read", "environment"))
      .annotate(OpenApi.Summary, "Experiments and groups that queries can filter and break down by")
  )
  .add(
    HttpApiEndpoint.get("assignmentCounts")`/application/${applicationId}/v2/experiments/assignment-counts`
      .setHeaders(OptionalEnvironmentHeader)
      .addSuccess(Schema.Array(ExperimentCount))
      .annotateContext(requires("experiments:read", "environment"))
      .annotate(OpenApi.Summary, "Enrolled units of each experiment")
  )
  .add(
    HttpApiEndpoint.get("contextProperties")`/application/${applicationId}/v2/experiments/context-properties`
      .setHeaders(OptionalEnvironmentHeader)
      .addSuccess(Schema.Array(ContextProperty))
      .annotateContext(requires("experiments:read", "environment"))
      .annotate(OpenApi.Summary, "Context properties that games have sent")
  )
  .add(
    HttpApiEndpoint.get("get")`/application/${applicationId}/v2/experiments/${experimentId}`
      .setHeaders(OptionalEnvironmentHeader)
      .addSuccess(ExperimentRecord)
      .addError(ExperimentNotFound)
      .annotateContext(requires("experiments:read", "environment"))
      .annotate(OpenApi.Summary, "An experiment")
  )
  .add(
    HttpApiEndpoint.patch("update")`/application/${applicationId}/v2/experiments/${experimentId}`
      .setHeaders(OptionalEnvironmentHeader)
      .setPayload(UpdateExperiment)
      .addSuccess(ExperimentRecord)
      .addError(ExperimentNotFound)
      .addError(ExperimentEnded)
      .addError(ExperimentChanged)
      .addError(PathLocked)
      .addError(ExperimentInvalid)
      .addError(ExperimentLimitReached)
      .addError(ReferenceInvalid)
      .annotateContext(requires("experiments:write", "environment"))
      .annotate(OpenApi.Summary, "Change what may change after creation")
  )
  .add(
    HttpApiEndpoint.get("groupCounts")`/application/${applicationId}/v2/experiments/${experimentId}/assignment-counts`
      .setHeaders(OptionalEnvironmentHeader)
      .addSuccess(Schema.Array(GroupCount))
      .addError(ExperimentNotFound)
      .addError(ExperimentIsDraft)
      .annotateContext(requires("experiments:read", "environment"))
      .annotate(OpenApi.Summary, "Enrolled units of each group")
  )
  .add(
    HttpApiEndpoint.post(
      "retryCohort"
    )`/application/${applicationId}/v2/experiments/${experimentId}/cohorts/${cohortId}/retry`
      .setHeaders(OptionalEnvironmentHeader)
      .addSuccess(CohortComputation, { status: 202 })
      .addError(ExperimentNotFound)
      .addError(ExperimentIsDraft)
      .addError(CohortNotFound)
      .annotateContext(requires("experiments:write", "environment"))
      .annotate(OpenApi.Summary, "Compute a targeted cohort once more after a failure")
  )
  .add(
    HttpApiEndpoint.get("rollout")`/application/${applicationId}/v2/experiments/${experimentId}/rollout`
      .setHeaders(OptionalEnvironmentHeader)
      .addSuccess(RolloutRecord)
      .addError(ExperimentNotFound)
      .addError(ExperimentIsDraft)
      .annotateContext(requires("experiments:read", "environment"))
      .annotate(OpenApi.Summary, "The share of units enrolled, its plan and its history")
  )
  .add(
    HttpApiEndpoint.patch("changeRollout")`/application/${applicationId}/v2/experiments/${experimentId}/rollout`
      .setHeaders(OptionalEnvironmentHeader)
      .setPayload(RolloutChange)
      .addSuccess(RolloutRecord)
      .addError(ExperimentNotFound)
      .addError(ExperimentIsDraft)
      .addError(ExperimentEnded)
      .addError(ExperimentChanged)
      .addError(ExperimentLimitReached)
      .addError(RolloutConflict)
      .addError(ExperimentInvalid)
      .annotateContext(requires("experiments:write", "environment"))
      .annotate(OpenApi.Summary, "Set, advance, pause, resume or re-plan the rollout")
  )
  .add(
    HttpApiEndpoint.post("terminate")`/application/${applicationId}/v2/experiments/${experimentId}/terminate`
      .setHeaders(OptionalEnvironmentHeader)
      .setPayload(TerminateExperiment)
      .addSuccess(ExperimentRecord)
      .addError(ExperimentNotFound)
      .addError(ExperimentIsDraft)
      .addError(ExperimentEnded)
      .addError(ExperimentInvalid)
      .addError(ConfigurationInvalid)
      .addError(ReferenceInvalid)
      .annotateContext(
        requires("experiments:write", "environment", "`applyToBase` also asks for `configurations:write`.")
      )
      .annotate(OpenApi.Summary, "End an experiment, with its winner written to the base if asked")
  )
  .add(
    HttpApiEndpoint.get("results")`/application/${applicationId}/v2/experiments/${experimentId}/results`
      .setHeaders(OptionalEnvironmentHeader)
      .setUrlParams(ResultsQuery)
      .addSuccess(Scorecard)
      .addError(ExperimentNotFound)
      .addError(ExperimentIsDraft)
      .addError(MetricNotFound)
      .addError(TimeRangeInvalid)
      .addError(QueryTimeout)
      .addError(Overloaded)
      .addError(TooManyQueries)
      .annotateContext(requires("experiments:read", "environment"))
      .annotate(OpenApi.Summary, "What the experiment has shown so far")
      .annotate(
        OpenApi.Description,
        "A player who is put into a group counts as exposed about a tenth of a second after the answer that said so: exposures are written many at a time, and no game waits for them."
      )
  )
  .addError(Forbidden)
  .addError(ApplicationNotFound)
  .addError(EnvironmentNotFound)
  .middleware(SessionOrPat)
  .annotate(OpenApi.Title, "Experiments")
  .annotate(OpenApi.Description, "Groups of units that get changes on top of a configuration, and what came of it.") {}
