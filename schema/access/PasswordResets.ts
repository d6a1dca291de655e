import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { example } from "../Example.ts"
import { membershipId, organizationId } from "../Parameters.ts"
import { RateLimited } from "../RequestErrors.ts"
import { Email, text } from "../Text.ts"
import { Traffic } from "../Traffic.ts"
import {
  Forbidden,
  MailNotConfigured,
  MemberNotFound,
  OrganizationNotFound,
  PasswordResetNotFound,
  PasswordTooWeak
} from "./AccessErrors.ts"
import { SessionOnly } from "./Auth.ts"
import { requiresNone, rescuesMember } from "./RequiredPermission.ts"

/** A link for another password, as whoever asked for it gets it once. */
export const PasswordResetLink = Schema.Struct({
  token: Schema.String,
  url: Schema.String,
  expiresAt: Schema.DateTimeUtc
}).annotations({ identifier: "PasswordResetLink" })
export type PasswordResetLink = typeof PasswordResetLink.Type

export const UsePasswordReset = Schema.Struct({ token: text(1, 128), password: text(8, 256) })
  .annotations({ identifier: "UsePasswordReset" })
  .pipe(
    example({
      token: "3q2-7wS1x0pZkq9mB4vY6tR8uE5nC2hL1aF7dG0jK4s",
      password: "a sturdier horse, a longer staple"
    })
  )
export type UsePasswordReset = typeof UsePasswordReset.Type

/** How people who have lost their password get back in by themselves. */
export const PasswordResetWays = Schema.Struct({ byMail: Schema.Boolean }).annotations({
  identifier: "PasswordResetWays"
})
export type PasswordResetWays = typeof PasswordResetWays.Type

export const RequestPasswordReset = Schema.Struct({ email: Email })
  .annotations({ identifier: "RequestPasswordReset" })
  .pipe(example({ email: "robin@emberkeep.example" }))
export type RequestPasswordReset = typeof RequestPasswordReset.Type

export class PasswordResetsGroup extends HttpApiGroup.make("passwordResets")
  .add(
    HttpApiEndpoint.post("create")`/organization/${organizationId}/members/${membershipId}/password-reset`
      .addSuccess(PasswordResetLink, { status: 201 })
      .addError(Forbidden)
      .addError(OrganizationNotFound)
      .addError(MemberNotFound)
      .middleware(SessionOnly)
      .annotateContext(rescuesMember)
      .annotate(OpenApi.Summary, "Make a link by which a member chooses another password; it is shown this once")
      .annotate(
        OpenApi.Description,
        "The link is as good as the member's account. It works once within 24 hours, and replaces the one that the member had. Nobody makes one for themselves: a password is changed by whoever knows it."
      )
  )
  .add(
    HttpApiEndpoint.post("use", "/users/auth/password-reset")
      .setPayload(UsePasswordReset)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(PasswordResetNotFound)
      .addError(PasswordTooWeak)
      .addError(RateLimited)
      .annotate(Traffic, "entry")
      .annotateContext(requiresNone("The token of the link decides."))
      .annotate(OpenApi.Summary, "Choose another password by a link; ends every session and passkey of the account")
  )
  .add(
    HttpApiEndpoint.get("ways", "/users/auth/password-reset")
      .addSuccess(PasswordResetWays)
      .annotateContext(requiresNone("Shown before anybody is signed in."))
      .annotate(OpenApi.Summary, "Whether the server mails links for another password")
  )
  .add(
    HttpApiEndpoint.post("request", "/users/auth/password-reset/mail")
      .setPayload(RequestPasswordReset)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(MailNotConfigured)
      .addError(RateLimited)
      .annotate(Traffic, "entry")
      .annotateContext(requiresNone("The mail reaches nobody but the owner of the address."))
      .annotate(OpenApi.Summary, "Mail a link for another password to the e-mail address of an account")
      .annotate(
        OpenApi.Description,
        "Answered alike whether an account has the address. The link works once within an hour and replaces the one that the account had. An address gets three mails an hour at most."
      )
  )
  .annotate(OpenApi.Title, "Password resets")
  .annotate(OpenApi.Description, "Links by which people get back into their accounts.") {}
