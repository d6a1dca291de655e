import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { RoleId } from "../../src/domain/Ids.ts"
import { SessionOnly, SessionOrPat } from "./Auth.ts"
import {
  AlreadyMember,
  Escalation,
  Forbidden,
  InvitationNotFound,
  InviterLacksRights,
  OrganizationNotFound,
  RoleNotFound,
  SlotsExhausted
} from "./AccessErrors.ts"
import { withDefault } from "../Optional.ts"
import { InvitationRecord, InvitationWithToken } from "./InvitationRecord.ts"
import { OrganizationRecord } from "./Organizations.ts"
import { invitationId, organizationId, Page, Paging } from "../Parameters.ts"
import { NewEmail, text } from "../Text.ts"
import { roleById } from "./RoleReference.ts"
import { requires, requiresNone } from "./RequiredPermission.ts"
import { example } from "../Example.ts"

export const InvitationPage = Page(InvitationRecord).annotations({ identifier: "InvitationPage" })
export type InvitationPage = typeof InvitationPage.Type

export const CreateInvitation = Schema.Struct({
  email: NewEmail,
  roleId: RoleId,
  expiresInDays: withDefault(Schema.Int.pipe(Schema.between(1, 90)), 7)
})
  .annotations({ ...roleById, identifier: "CreateInvitation" })
  .pipe(example({ email: "sam@emberkeep.example", roleId: 3, expiresInDays: 14 }))
export type CreateInvitation = typeof CreateInvitation.Type

const token = HttpApiSchema.param("token", text(1, 128))

export class InvitationsGroup extends HttpApiGroup.make("invitations")
  .add(
    HttpApiEndpoint.get("list")`/organization/${organizationId}/invitations`
      .setUrlParams(Paging)
      .addSuccess(InvitationPage)
      .addError(OrganizationNotFound)
      .middleware(SessionOrPat)
      .annotateContext(requires("members:read", "organization"))
      .annotate(OpenApi.Summary, "Invitations to the organization, without their tokens")
  )
  .add(
    HttpApiEndpoint.post("create")`/organization/${organizationId}/invitations`
      .setPayload(CreateInvitation)
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
      .annotate(OpenApi.Summary, "Invite an e-mail address; the token is shown this once")
  )
  .add(
    HttpApiEndpoint.del("revoke")`/organization/${organizationId}/invitations/${invitationId}`
      .addSuccess(HttpApiSchema.NoContent)
      .addError(OrganizationNotFound)
      .addError(InvitationNotFound)
      .middleware(SessionOnly)
      .annotateContext(
        requires("members:write", "organization", "The caller must hold everything that the role allows.")
      )
      .annotate(OpenApi.Summary, "Take an invitation back")
  )
  .add(
    HttpApiEndpoint.post("accept")`/users/invitations/${token}/accept`
      .addSuccess(OrganizationRecord)
      .addError(InvitationNotFound)
      .addError(InviterLacksRights)
      .addError(SlotsExhausted)
      .middleware(SessionOnly)
      .annotateContext(requiresNone("The token of the invitation decides, and what its sender may give."))
      .annotate(OpenApi.Summary, "Accept an invitation to the caller's e-mail address")
  )
  .addError(Forbidden)
  .annotate(OpenApi.Title, "Invitations")
  .annotate(OpenApi.Description, "Invitations of people to an organization, by e-mail address.") {}
