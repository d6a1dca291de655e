import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Permission } from "../../src/domain/access/Permission.ts"
import { ApplicationRecord } from "./ApplicationRecord.ts"
import { SessionOrPat } from "./Auth.ts"
import {
  ApplicationNotFound,
  Forbidden,
  OrganizationNotFound,
  SlotsExhausted,
  TimeZoneUnknown
} from "./AccessErrors.ts"
import { optional, withDefault } from "../Optional.ts"
import { applicationId, organizationId, Page, Paging } from "../Parameters.ts"
import { Color, TimeZoneName, Title, WebUrl } from "../Text.ts"
import { requires, requiresNone } from "./RequiredPermission.ts"
import { example } from "../Example.ts"

/** 1 Custom, 2 Roblox, 3 Unity, 4 Unreal, 5 Godot, 6 Web. */
export const SdkId = Schema.Literal(1, 2, 3, 4, 5, 6).annotations({
  identifier: "SdkId",
  description: "1 Custom, 2 Roblox, 3 Unity, 4 Unreal, 5 Godot, 6 Web"
})
export type SdkId = typeof SdkId.Type

export const ApplicationPage = Page(ApplicationRecord).annotations({ identifier: "ApplicationPage" })
export type ApplicationPage = typeof ApplicationPage.Type

/** What the caller may do in a project. */
export const ProjectPermissions = Schema.Struct({ permissions: Schema.Array(Permission) })
  .annotations({ identifier: "ProjectPermissions" })
  .pipe(example({ permissions: ["projects:read", "analytics:read", "configurations:read"] }))
export type ProjectPermissions = typeof ProjectPermissions.Type

export const CreateApplication = Schema.Struct({
  name: Title,
  sdkId: withDefault(SdkId, 1),
  color: optional(Schema.NullOr(Color)),
  thumbnailUrl: optional(Schema.NullOr(WebUrl)),
  timezone: withDefault(TimeZoneName, "UTC")
})
  .annotations({ identifier: "CreateApplication" })
  .pipe(example({ name: "Ember Keep", sdkId: 2, timezone: "Europe/Paris" }))
export type CreateApplication = typeof CreateApplication.Type

export const UpdateApplication = Schema.Struct({
  name: optional(Title),
  sdkId: optional(SdkId),
  color: optional(Schema.NullOr(Color)),
  thumbnailUrl: optional(Schema.NullOr(WebUrl)),
  timezone: optional(TimeZoneName)
})
  .annotations({ identifier: "UpdateApplication" })
  .pipe(example({ name: "Ember Keep", color: "#e4572e", timezone: "America/New_York" }))
export type UpdateApplication = typeof UpdateApplication.Type

export class ProjectsGroup extends HttpApiGroup.make("projects")
  .add(
    HttpApiEndpoint.get("list")`/organization/${organizationId}/projects`
      .setUrlParams(Paging)
      .addSuccess(ApplicationPage)
      .addError(OrganizationNotFound)
      .annotateContext(requires("projects:read", "projects"))
      .annotate(OpenApi.Summary, "Projects of the organization")
  )
  .add(
    HttpApiEndpoint.post("create")`/organization/${organizationId}/projects`
      .setPayload(CreateApplication)
      .addSuccess(ApplicationRecord, { status: 201 })
      .addError(OrganizationNotFound)
      .addError(SlotsExhausted)
      .addError(TimeZoneUnknown)
      .annotateContext(requires("projects:write", "organization", "A token must cover all projects."))
      .annotate(OpenApi.Summary, "Create a project with its environments production and development")
  )
  .add(
    HttpApiEndpoint.get("get")`/application/${applicationId}`
      .addSuccess(ApplicationRecord)
      .addError(ApplicationNotFound)
      .annotateContext(requires("projects:read", "project"))
      .annotate(OpenApi.Summary, "A project")
  )
  .add(
    HttpApiEndpoint.get("permissions")`/application/${applicationId}/permissions`
      .addSuccess(ProjectPermissions)
      .addError(ApplicationNotFound)
      .annotateContext(requiresNone("It tells members of the organization what they may do themselves."))
      .annotate(OpenApi.Summary, "What the caller may do in the project")
      .annotate(
        OpenApi.Description,
        "The permissions of the caller's role in the project, which replaces the role in the organization there. A personal access token gets those of them that it lists itself, and none outside its projects."
      )
  )
  .add(
    HttpApiEndpoint.patch("update")`/application/${applicationId}`
      .setPayload(UpdateApplication)
      .addSuccess(ApplicationRecord)
      .addError(ApplicationNotFound)
      .addError(TimeZoneUnknown)
      .annotateContext(requires("projects:write", "environments"))
      .annotate(OpenApi.Summary, "Change a project")
  )
  .add(
    HttpApiEndpoint.del("remove")`/application/${applicationId}`
      .addSuccess(HttpApiSchema.NoContent)
      .addError(ApplicationNotFound)
      .annotateContext(requires("projects:write", "environments"))
      .annotate(OpenApi.Summary, "Delete a project with everything in it")
  )
  .addError(Forbidden)
  .middleware(SessionOrPat)
  .annotate(OpenApi.Title, "Projects")
  .annotate(OpenApi.Description, "Projects, called applications, of an organization.") {}
