import { Schema } from "effect"
import { InvitationId, OrganizationId } from "../../src/domain/Ids.ts"
import { oneOf } from "../Optional.ts"
import { KnownEmail } from "../Text.ts"
import { RoleReference } from "./RoleReference.ts"
import { Person } from "./Users.ts"

export const InvitationRecord = Schema.Struct({
  id: InvitationId,
  organizationId: OrganizationId,
  email: KnownEmail,
  role: RoleReference,
  status: oneOf("pending", "accepted", "expired"),
  invitedBy: Schema.NullOr(Person),
  createdAt: Schema.DateTimeUtc,
  expiresAt: Schema.DateTimeUtc,
  acceptedAt: Schema.NullOr(Schema.DateTimeUtc)
}).annotations({ identifier: "Invitation" })
export type InvitationRecord = typeof InvitationRecord.Type

/** Answer of create: the one time the token is shown, and the page on which it is accepted. */
export const InvitationWithToken = Schema.Struct({
  ...InvitationRecord.fields,
  token: Schema.String,
  acceptUrl: Schema.String,
  mail: oneOf("sent", "failed", "off").annotations({
    description:
      "Whether the link was mailed to the address. `failed`: the mail server did not take it, or too many went to the address within an hour; `off`: the server sends no mails"
  })
}).annotations({ identifier: "InvitationWithToken" })
export type InvitationWithToken = typeof InvitationWithToken.Type
