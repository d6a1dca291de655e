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
import { Title } from "../Text.ts"

export const EnvironmentRecord = Schema.Struct({
  id: EnvironmentId,
  applicationId: ApplicationId,
  name: Schema.String,
  alias: Schema.String,
  createdAt: Schema.DateTimeUtc
}).annotations({ identifier: "Environment" })
export type EnvironmentRecord = typeof EnvironmentRecord.Type

/** Turned into a slug: lower case, spaces to `-`, `[a-z0-9-]` only. */
const Alias = Schema.String.pipe(Schema.pattern(/[a-zA-Z0-9]/), Schema.maxLength(64))

export const CreateEnvironment = Schema.Struct({ name: Title, alias: optional(Alias) }).annotations({
  identifier: "CreateEnvironment"
})
export type CreateEnvironment = typeof CreateEnvironment.Type

export const UpdateEnvironment = Schema.Struct({
  name: optional(Title),
  alias: optional(Alias)
}).annotations({ identifier: "UpdateEnvironment" })
export type UpdateEnvironment = typeof UpdateEnvironment.Type

export class EnvironmentsGroup extends HttpApiGroup.make("environments")
  .add(
    HttpApiEndpoint.get("list")`/application/${applicationId}/environments`
      .addSuccess(Schema.Array(EnvironmentRecord))
      .annotate(OpenApi.Summary, "Environments of the project")
  )
  .add(
    HttpApiEndpoint.post("create")`/application/${applicationId}/environments`
      .setPayload(CreateEnvironment)
      .addSuccess(EnvironmentRecord, { status: 201 })
      .addError(SlotsExhausted)
      .addError(AliasTaken)
      .annotate(OpenApi.Summary, "Create an environment")
  )
  .add(
    HttpApiEndpoint.patch("update")`/application/${applicationId}/environments/${environmentId}`
      .setPayload(UpdateEnvironment)
      .addSuccess(EnvironmentRecord)
      .addError(EnvironmentNotFound)
      .addError(AliasTaken)
      .addError(EnvironmentProtected)
      .annotate(OpenApi.Summary, "Change an environment's name or alias")
  )
  .add(
    HttpApiEndpoint.del("remove")`/application/${applicationId}/environments/${environmentId}`
      .addSuccess(HttpApiSchema.NoContent)
      .addError(EnvironmentNotFound)
      .addError(EnvironmentProtected)
      .annotate(OpenApi.Summary, "Delete an environment with everything in it")
  )
  .addError(Forbidden)
  .addError(ApplicationNotFound)
  .middleware(SessionOrPat)
  .annotate(OpenApi.Title, "Environments")
  .annotate(OpenApi.Description, "Environments of a project: each has its own markers, configurations and cohorts.") {}
