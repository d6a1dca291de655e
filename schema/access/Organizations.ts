import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { MembershipId, OrganizationId, RoleId } from "../../src/domain/Ids.ts"
import { ApplicationSummary } from "./ApplicationRecord.ts"
import { SessionOnly, SessionOrPat } from "./Auth.ts"
import {
  AlreadyMember,
  Escalation,
  Forbidden,
  LastOwner,
  MemberNotFound,
  OrganizationLimitReached,
  OrganizationNotFound,
  RoleNotFound,
  SlotsExhausted
} from "./AccessErrors.ts"
import { optional } from "../Optional.ts"
import { membershipId, organizationId, Page, Paging } from "../Parameters.ts"
import { Color, NewEmail, Title } from "../Text.ts"
import { InvitationWithToken } from "./InvitationRecord.ts"
import { roleById, RoleReference } from "./RoleReference.ts"
import { Person } from "./Users.ts"
import { requires, requiresNone } from "./RequiredPermission.ts"
import { example } from "../Example.ts"

export const Billing = Schema.Struct({
  organizationId: OrganizationId,
  subscription: Schema.Struct({ tier: Schema.String }),
  memberSlots: Schema.Struct({ total: Schema.Number }),
  projectSlots: Schema.Struct({ total: Schema.Number }),
  blockedReason: Schema.NullOr(Schema.String),
  graceEndsAt: Schema.NullOr(Schema.String)
}).annotations({ identifier: "Billing" })
export type Billing = typeof Billing.Type

/** An organization as one member sees it. */
export const OrganizationRecord = Schema.Struct({
  id: OrganizationId,
  name: Schema.String,
  iconUrl: Schema.NullOr(Schema.String),
  color: Schema.NullOr(Schema.String),
  role: Schema.Struct({ id: RoleId, name: Schema.String, permissions: Schema.Array(Schema.String) }),
  billing: Billing,
  applications: Schema.Array(ApplicationSummary),
  requiresSecondFactor: Schema.Boolean.annotations({
    description: "Whether members who have signed in by password alone are refused everything in it"
  }),
  membershipId: MembershipId
}).annotations({ identifier: "Organization" })
export type OrganizationRecord = typeof OrganizationRecord.Type

export const CreateOrganization = Schema.Struct({
  name: Title,
  color: optional(Schema.NullOr(Color))
})
  .annotations({ identifier: "CreateOrganization" })
  .pipe(example({ name: "Ember Studios", color: "#e4572e" }))
export type CreateOrganization = typeof CreateOrganization.Type

export const UpdateOrganization = Schema.Struct({
  name: optional(Title),
  color: optional(Schema.NullOr(Color)),
  requiresSecondFactor: optional(Schema.Boolean)
})
  .annotations({ identifier: "UpdateOrganization" })
  .pipe(example({ name: "Ember Studios", color: "#17bebb" }))
export type UpdateOrganization = typeof UpdateOrganization.Type

export const MemberRecord = Schema.Struct({
  membershipId: MembershipId,
  organizationId: OrganizationId,
  user: Person,
  role: RoleReference,
  createdAt: Schema.DateTimeUtc
}).annotations({ identifier: "Member" })
export type MemberRecord = typeof MemberRecord.Type

export const MemberPage = Page(MemberRecord).annotations({ identifier: "MemberPage" })
export type MemberPage = typeof MemberPage.Type

export const AddMember = Schema.Struct({ email: NewEmail, roleId: RoleId })
  .annotations({ ...roleById, identifier: "AddMember" })
  .pipe(example({ email: "kim@emberkeep.example", roleId: 3 }))
export type AddMember = typeof AddMember.Type

export const RoleChange = Schema.Struct({ roleId: RoleId })
  .annotations({ ...roleById, identifier: "RoleChange" })
  .pipe(example({ roleId: 4 }))
export type RoleChange = typeof RoleChange.Type

export class OrganizationsGroup extends HttpApiGroup.make("organizations")
  .add(
    HttpApiEndpoint.get("list", "/organization")
      .addSuccess(Schema.Array(OrganizationRecord))
      .addError(OrganizationNotFound)
      .annotateContext(
        requires("organization:read", "organization", "A signed-in browser sees its own organizations without it.")
      )
      .annotate(OpenApi.Summary, "Organizations the caller is a member of")
  )
  .add(
    HttpApiEndpoint.get("get")`/organization/${organizationId}`
      .addSuccess(OrganizationRecord)
      .addError(OrganizationNotFound)
      .annotateContext(requires("organization:read", "organization"))
      .annotate(OpenApi.Summary, "An organization as the caller sees it")
  )
  .add(
    HttpApiEndpoint.patch("update")`/organization/${organizationId}`
      .setPayload(UpdateOrganization)
      .addSuccess(OrganizationRecord)
      .addError(OrganizationNotFound)
      .annotateContext(requires("organization:write", "organization", "A token must cover all projects."))
      .annotate(OpenApi.Summary, "Change an organization's name or colour, or whether it demands a second factor")
  )
  .add(
    HttpApiEndpoint.get("members")`/organization/${organizationId}/members`
      .setUrlParams(Paging)
      .addSuccess(MemberPage)
      .addError(OrganizationNotFound)
      .annotateContext(requires("members:read", "organization"))
      .annotate(OpenApi.Summary, "Members with their roles")
  )
  .middlewareEndpoints(SessionOrPat)
  .add(
    HttpApiEndpoint.post("create", "/organization")
      .setPayload(CreateOrganization)
      .addSuccess(OrganizationRecord, { status: 201 })
      .addError(OrganizationLimitReached)
      .middleware(SessionOnly)
      .annotateContext(requiresNone("Whoever is signed in may own an organization."))
      .annotate(OpenApi.Summary, "Create an organization with the caller as its owner")
  )
  .add(
    HttpApiEndpoint.post("addMember")`/organization/${organizationId}/members`
      .setPayload(AddMember)
      .addSuccess(InvitationWithToken, { status: 201 })
      .addError(OrganizationNotFound)
      .addError(Escalation)
      .addError(SlotsExhausted)
      .addError(RoleNotFound)
      .addError(AlreadyMember)
      .middleware(SessionOnly)
      .annotateContext(
        requires("members:write", "organization", "The caller must hold everything that the role allows.")
      )
      .annotate(OpenApi.Summary, "Invite a person to become a member; the token is shown this once")
      .annotate(
        OpenApi.Description,
        "Answers the invitation, as POST …/invitations does. Nobody proves an e-mail address to this server, so no address gets a role: whoever holds the token and signs in with the address becomes the member."
      )
  )
  .add(
    HttpApiEndpoint.put("setMemberRole")`/organization/${organizationId}/members/${membershipId}/role`
      .setPayload(RoleChange)
      .addSuccess(MemberRecord)
      .addError(OrganizationNotFound)
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
      .annotate(OpenApi.Summary, "Give a member another role in the organization")
  )
  .add(
    HttpApiEndpoint.del("removeMember")`/organization/${organizationId}/members/${membershipId}`
      .addSuccess(HttpApiSchema.NoContent)
      .addError(OrganizationNotFound)
      .addError(Escalation)
      .addError(MemberNotFound)
      .addError(LastOwner)
      .middleware(SessionOnly)
      .annotateContext(
        requires(
          "members:write",
          "organization",
          "The caller must hold everything that the member holds. Members may remove themselves without it."
        )
      )
      .annotate(OpenApi.Summary, "Remove a member, or leave")
  )
  .addError(Forbidden)
  .annotate(OpenApi.Title, "Organizations")
  .annotate(OpenApi.Description, "Organizations, their members and what billing allows them.") {}
