import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { ApplicationId, EnvironmentId } from "../../src/domain/Ids.ts"
import { SessionOrPat } from "./Auth.ts"
import {
  AliasTaken,
  ApplicationNotFound,
  EnvironmentNotFound,
  EnvironmentProtected,
  Forbidden,
  SlotsExhausted
} from "./AccessErrors.ts"
import { optional } from "../Optional.ts"
import { applicationId, environmentId } from "../Parameters.ts"
import { MarkerName } from "../analytics/Filters.ts"
import { Title } from "../Text.ts"
import { requires } from "./RequiredPermission.ts"
import { example } from "../Example.ts"

export const EnvironmentRecord = Schema.Struct({
  id: EnvironmentId,
  applicationId: ApplicationId,
  name: Schema.String,
  alias: Schema.String,
  retentionDays: Schema.NullOr(Schema.Int).annotations({
    description: "Days markers are kept; null: as many as the server says"
  }),
  markerRetentionDays: Schema.Record({ key: Schema.String, value: Schema.Int }).annotations({
    description: "Days the markers of these types are kept, whatever holds for the others"
  }),
  createdAt: Schema.DateTimeUtc
}).annotations({ identifier: "Environment" })
export type EnvironmentRecord = typeof EnvironmentRecord.Type

/** Turned into a slug: lower case, spaces to `-`, `[a-z0-9-]` only. */
const Alias = Schema.String.pipe(
  Schema.pattern(/[a-zA-Z0-9]/, { message: () => "expected at most 64 characters, a letter or digit among them" }),
  Schema.maxLength(64)
)

export const CreateEnvironment = Schema.Struct({ name: Title, alias: optional(Alias) })
  .annotations({
    identifier: "CreateEnvironment"
  })
  .pipe(example({ name: "Staging" }))
export type CreateEnvironment = typeof CreateEnvironment.Type

const RetentionDays = Schema.Int.pipe(Schema.between(1, 36_500))

/** Types of markers an environment may keep for days of their own. */
const mostTypes = 1000

const MarkerRetentionDays = Schema.Record({ key: MarkerName, value: RetentionDays }).pipe(
  Schema.filter((days) => Object.keys(days).length <= mostTypes || `expected at most ${mostTypes} types of markers`)
)

export const UpdateEnvironment = Schema.Struct({
  name: optional(Title),
  alias: optional(Alias),
  retentionDays: optional(Schema.NullOr(RetentionDays)),
  markerRetentionDays: optional(MarkerRetentionDays)
})
  .annotations({
    identifier: "UpdateEnvironment",
    description:
      "Markers older than retentionDays are in no answer at once and off the disk within a day; null: as many days as the server says. markerRetentionDays, which is replaced as a whole, says it for single types."
  })
  .pipe(example({ name: "Staging", retentionDays: 30, markerRetentionDays: { Heartbeat: 7 } }))
export type UpdateEnvironment = typeof UpdateEnvironment.Type

export class EnvironmentsGroup extends HttpApiGroup.make("environments")
  .add(
    HttpApiEndpoint.get("list")`/application/${applicationId}/environments`
      .addSuccess(Schema.Array(EnvironmentRecord))
      .annotateContext(requires("projects:read", "project", "A token sees the environments that it covers."))
      .annotate(OpenApi.Summary, "Environments of the project")
  )
  .add(
    HttpApiEndpoint.post("create")`/application/${applicationId}/environments`
      .setPayload(CreateEnvironment)
      .addSuccess(EnvironmentRecord, { status: 201 })
      .addError(SlotsExhausted)
      .addError(AliasTaken)
      .annotateContext(requires("environments:write", "environments"))
      .annotate(OpenApi.Summary, "Create an environment")
  )
  .add(
    HttpApiEndpoint.patch("update")`/application/${applicationId}/environments/${environmentId}`
      .setPayload(UpdateEnvironment)
      .addSuccess(EnvironmentRecord)
      .addError(EnvironmentNotFound)
      .addError(AliasTaken)
      .addError(EnvironmentProtected)
      .annotateContext(
        requires(
          "environments:write",
          "environment",
          "A token that changes the alias must cover every environment, because games of the whole project find their environment by it."
        )
      )
      .annotate(OpenApi.Summary, "Change an environment's name, its alias or how long it keeps markers")
  )
  .add(
    HttpApiEndpoint.del("remove")`/application/${applicationId}/environments/${environmentId}`
      .addSuccess(HttpApiSchema.NoContent)
      .addError(EnvironmentNotFound)
      .addError(EnvironmentProtected)
      .annotateContext(requires("environments:write", "environment"))
      .annotate(OpenApi.Summary, "Delete an environment with everything in it")
  )
  .addError(Forbidden)
  .addError(ApplicationNotFound)
  .middleware(SessionOrPat)
  .annotate(OpenApi.Title, "Environments")
  .annotate(OpenApi.Description, "Environments of a project: each has its own markers, configurations and cohorts.") {}
