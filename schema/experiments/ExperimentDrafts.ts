import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { ApplicationNotFound, EnvironmentNotFound, Forbidden } from "../access/AccessErrors.ts"
import { SessionOrPat } from "../access/Auth.ts"
import { basedOn } from "../BasedOn.ts"
import { requires } from "../access/RequiredPermission.ts"
import { ReferenceInvalid } from "../analytics/AnalyticsErrors.ts"
import { ConfigurationInvalid, PathLocked } from "../configuration/ConfigurationErrors.ts"
import { example } from "../Example.ts"
import { Instant } from "../Instant.ts"
import { optional } from "../Optional.ts"
import { applicationId, experimentId, OptionalEnvironmentHeader } from "../Parameters.ts"
import {
  ExperimentChanged,
  ExperimentInvalid,
  ExperimentLimitReached,
  ExperimentNotFound,
  ExperimentStarted
} from "./ExperimentErrors.ts"
import { ExperimentRecord, ReplacePlan } from "./ExperimentRecord.ts"

export const StartExperiment = Schema.NullOr(
  Schema.Struct({ startsAt: optional(Instant), basedOn }).annotations({
    identifier: "StartExperiment",
    description:
      "Without `startsAt` it starts at the instant that the draft names, or at once where it names none or that instant has passed"
  })
).pipe(example({ startsAt: "2036-01-01T00:00:00Z" }))
export type StartExperiment = typeof StartExperiment.Type

export class ExperimentDraftsGroup extends HttpApiGroup.make("experimentDrafts")
  .add(
    HttpApiEndpoint.put("replace")`/application/${applicationId}/v2/experiments/${experimentId}`
      .setHeaders(OptionalEnvironmentHeader)
      .setPayload(ReplacePlan)
      .addSuccess(ExperimentRecord)
      .addError(ExperimentNotFound)
      .addError(ExperimentStarted)
      .addError(ExperimentChanged)
      .addError(ExperimentInvalid)
      .addError(ExperimentLimitReached)
      .addError(ReferenceInvalid)
      .annotateContext(requires("experiments:write", "environment"))
      .annotate(OpenApi.Summary, "Change everything of a draft")
  )
  .add(
    HttpApiEndpoint.post("start")`/application/${applicationId}/v2/experiments/${experimentId}/start`
      .setHeaders(OptionalEnvironmentHeader)
      .setPayload(StartExperiment)
      .addSuccess(ExperimentRecord)
      .addError(ExperimentNotFound)
      .addError(ExperimentStarted)
      .addError(ExperimentChanged)
      .addError(PathLocked)
      .addError(ExperimentInvalid)
      .addError(ExperimentLimitReached)
      .addError(ConfigurationInvalid)
      .addError(ReferenceInvalid)
      .annotateContext(requires("experiments:write", "environment"))
      .annotate(OpenApi.Summary, "Start a draft, with all that is checked when an experiment is created")
  )
  .add(
    HttpApiEndpoint.post("copy")`/application/${applicationId}/v2/experiments/${experimentId}/copy`
      .setHeaders(OptionalEnvironmentHeader)
      .addSuccess(ExperimentRecord, { status: 201 })
      .addError(ExperimentNotFound)
      .addError(ExperimentLimitReached)
      .annotateContext(requires("experiments:write", "environment"))
      .annotate(
        OpenApi.Summary,
        "Make a draft with everything that an experiment was begun with; start, end and steps that have passed are left out"
      )
  )
  .add(
    HttpApiEndpoint.del("remove")`/application/${applicationId}/v2/experiments/${experimentId}`
      .setHeaders(OptionalEnvironmentHeader)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(ExperimentNotFound)
      .addError(ExperimentStarted)
      .annotateContext(requires("experiments:write", "environment"))
      .annotate(OpenApi.Summary, "Delete a draft")
  )
  .addError(Forbidden)
  .addError(ApplicationNotFound)
  .addError(EnvironmentNotFound)
  .middleware(SessionOrPat)
  .annotate(OpenApi.Title, "Drafts of experiments")
  .annotate(
    OpenApi.Description,
    "Experiments that are planned and not started. POST /v2/experiments with the status `draft` makes one; lists show it, and nothing else does."
  ) {}
