import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Permission } from "../../src/domain/access/Permission.ts"
import { ApplicationId, GrantId, MembershipId, OrganizationId, RoleId } from "../../src/domain/Ids.ts"
import { SessionOnly, SessionOrPat } from "./Auth.ts"
import {
  ApplicationNotFound,
  Escalation,
  Forbidden,
  GrantNotFound,
  LastOwner,
  MemberNotFound,
  OrganizationNotFound,
  RoleBuiltin,
  RoleChanged,
  RoleInUse,
  RoleLimitReached,
  RoleNameTaken,
  RoleNotFound
} from "./AccessErrors.ts"
import { basedOn } from "../BasedOn.ts"
import { Creator } from "./KeyRecord.ts"
import { oneOf, optional } from "../Optional.ts"
import { RoleChange } from "./Organizations.ts"
import { RoleReference } from "./RoleReference.ts"
import { applicationId, membershipId, organizationId, roleId } from "../Parameters.ts"
import { Description, Title } from "../Text.ts"
import { Person } from "./Users.ts"
import { requires } from "./RequiredPermission.ts"
import { example } from "../Example.ts"

export const RoleRecord = Schema.Struct({
  id: RoleId,
  organizationId: OrganizationId,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  type: oneOf("builtin", "custom"),
  permissions: Schema.Array(Permission),
  memberCount: Schema.Int,
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc
}).annotations({ identifier: "Role" })
export type RoleRecord = typeof RoleRecord.Type

const designer = {
  name: "Economy designer",
  description: "Tunes prices and drop rates",
  permissions: ["configurations:read", "configurations:write", "analytics:read"]
} as const

export const RoleDefinition = Schema.Struct({
  name: Title,
  description: optional(Schema.NullOr(Description)),
  permissions: Schema.Array(Permission)
})
  .annotations({ identifier: "RoleDefinition" })
  .pipe(example(designer))
export type RoleDefinition = typeof RoleDefinition.Type

export const ReplaceRole = Schema.Struct({ ...RoleDefinition.fields, basedOn })
  .annotations({ identifier: "ReplaceRole" })
  .pipe(example(designer))
export type ReplaceRole = typeof ReplaceRole.Type

export const GrantRecord = Schema.Struct({
  id: GrantId,
  organizationId: OrganizationId,
  applicationId: Schema.NullOr(ApplicationId),
  principal: Schema.Struct({ type: Schema.Literal("member"), membershipId: MembershipId, user: Person }),
  role: RoleReference,
  createdAt: Schema.DateTimeUtc,
  createdBy: Schema.NullOr(Creator)
}).annotations({ identifier: "Grant" })
export type GrantRecord = typeof GrantRecord.Type

export class RolesGroup extends HttpApiGroup.make("roles")
  .add(
    HttpApiEndpoint.get("list")`/organization/${organizationId}/v2/roles`
      .addSuccess(Schema.Array(RoleRecord))
      .annotateContext(requires("roles:read", "organization"))
      .annotate(OpenApi.Summary, "Roles of the organization, built-in ones first")
  )
  .add(
    HttpApiEndpoint.get("get")`/organization/${organizationId}/v2/roles/${roleId}`
      .addSuccess(RoleRecord)
      .addError(RoleNotFound)
      .annotateContext(requires("roles:read", "organization"))
      .annotate(OpenApi.Summary, "A role and its permissions")
  )
  .add(
    HttpApiEndpoint.get("grants")`/organization/${organizationId}/grants`
      .addSuccess(Schema.Array(GrantRecord))
      .annotateContext(requires("members:read", "organization"))
      .annotate(OpenApi.Summary, "Grants in the whole organization: the default role in every project")
  )
  .add(
    HttpApiEndpoint.get("projectGrants")`/organization/${organizationId}/projects/${applicationId}/grants`
      .addSuccess(Schema.Array(GrantRecord))
      .addError(ApplicationNotFound)
      .annotateContext(requires("members:read", "organization", "A token must cover the project."))
      .annotate(OpenApi.Summary, "Grants in one project; each replaces the member's default role there")
  )
  .middlewareEndpoints(SessionOrPat)
  .add(
    HttpApiEndpoint.post("create")`/organization/${organizationId}/v2/roles`
      .setPayload(RoleDefinition)
      .addSuccess(RoleRecord, { status: 201 })
      .addError(Escalation)
      .addError(RoleLimitReached)
      .addError(RoleNameTaken)
      .middleware(SessionOnly)
      .annotateContext(requires("roles:write", "organization", "The caller must hold everything that the role allows."))
      .annotate(OpenApi.Summary, "Create a custom role")
  )
  .add(
    HttpApiEndpoint.put("update")`/organization/${organizationId}/v2/roles/${roleId}`
      .setPayload(ReplaceRole)
      .addSuccess(RoleRecord)
      .addError(Escalation)
      .addError(RoleNotFound)
      .addError(RoleBuiltin)
      .addError(RoleChanged)
      .addError(RoleNameTaken)
      .middleware(SessionOnly)
      .annotateContext(
        requires("roles:write", "organization", "The caller must hold everything that the role gains or loses.")
      )
      .annotate(OpenApi.Summary, "Replace a custom role")
  )
  .add(
    HttpApiEndpoint.del("remove")`/organization/${organizationId}/v2/roles/${roleId}`
      .addSuccess(HttpApiSchema.NoContent)
      .addError(RoleNotFound)
      .addError(RoleBuiltin)
      .addError(RoleInUse)
      .middleware(SessionOnly)
      .annotateContext(requires("roles:write", "organization", "The caller must hold everything that the role allows."))
      .annotate(OpenApi.Summary, "Delete a custom role that nobody has")
  )
  .add(
    HttpApiEndpoint.put("setGrant")`/organization/${organizationId}/grants/${membershipId}`
      .setPayload(RoleChange)
      .addSuccess(GrantRecord)
      .addError(Escalation)
      .addError(MemberNotFound)
      .addError(RoleNotFound)
      .addError(LastOwner)
      .middleware(SessionOnly)
      .annotateContext(
        requires(
          "members:write",
          "organization",
          "The caller must hold everything that the member's old and new roles allow."
        )
      )
      .annotate(OpenApi.Summary, "Give a member a role in the whole organization")
  )
  .add(
    HttpApiEndpoint.put(
      "setProjectGrant"
    )`/organization/${organizationId}/projects/${applicationId}/grants/${membershipId}`
      .setPayload(RoleChange)
      .addSuccess(GrantRecord)
      .addError(Escalation)
      .addError(ApplicationNotFound)
      .addError(MemberNotFound)
      .addError(RoleNotFound)
      .middleware(SessionOnly)
      .annotateContext(
        requires(
          "members:write",
          "organization",
          "The caller must hold everything that the member's old and new roles allow there."
        )
      )
      .annotate(OpenApi.Summary, "Give a member a role in one project")
  )
  .add(
    HttpApiEndpoint.del(
      "removeProjectGrant"
    )`/organization/${organizationId}/projects/${applicationId}/grants/${membershipId}`
      .addSuccess(HttpApiSchema.NoContent)
      .addError(Escalation)
      .addError(ApplicationNotFound)
      .addError(MemberNotFound)
      .addError(GrantNotFound)
      .middleware(SessionOnly)
      .annotateContext(
        requires(
          "members:write",
          "organization",
          "The caller must hold everything that the member's old and new roles allow there."
        )
      )
      .annotate(OpenApi.Summary, "Take a project's role away, so that the default role counts there again")
  )
  .addError(Forbidden)
  .addError(OrganizationNotFound)
  .annotate(OpenApi.Title, "Roles")
  .annotate(OpenApi.Description, "Built-in and custom roles, and who holds them where.") {}
