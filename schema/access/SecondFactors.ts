import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { example } from "../Example.ts"
import { membershipId, organizationId } from "../Parameters.ts"
import { RateLimited } from "../RequestErrors.ts"
import { text } from "../Text.ts"
import {
  Forbidden,
  MemberNotFound,
  OrganizationNotFound,
  PasswordIncorrect,
  SecondFactorAbsent,
  SecondFactorIncorrect,
  SecondFactorNotBegun,
  SecondFactorPresent
} from "./AccessErrors.ts"
import { SessionOnly } from "./Auth.ts"
import { requiresNone, rescuesMember } from "./RequiredPermission.ts"

export const SecondFactorState = Schema.Struct({
  confirmedAt: Schema.NullOr(Schema.DateTimeUtc),
  recoveryCodesLeft: Schema.Int.pipe(Schema.nonNegative())
}).annotations({ identifier: "SecondFactor" })
export type SecondFactorState = typeof SecondFactorState.Type

export const SetUpSecondFactor = Schema.Struct({ currentPassword: text(0, 1024) })
  .annotations({ identifier: "SetUpSecondFactor" })
  .pipe(example({ currentPassword: "correct horse battery staple" }))
export type SetUpSecondFactor = typeof SetUpSecondFactor.Type

/** What an authenticator app is given: the key, or an address that holds it, which is shown as a picture. */
export const AuthenticatorSetUp = Schema.Struct({ secret: Schema.String, address: Schema.String }).annotations({
  identifier: "AuthenticatorSetUp"
})
export type AuthenticatorSetUp = typeof AuthenticatorSetUp.Type

const code = text(1, 64)

export const ConfirmSecondFactor = Schema.Struct({ code })
  .annotations({ identifier: "ConfirmSecondFactor" })
  .pipe(example({ code: "492039" }))
export type ConfirmSecondFactor = typeof ConfirmSecondFactor.Type

export const ProveSecondFactor = Schema.Struct({ currentPassword: text(0, 1024), code })
  .annotations({ identifier: "ProveSecondFactor" })
  .pipe(example({ currentPassword: "correct horse battery staple", code: "492039" }))
export type ProveSecondFactor = typeof ProveSecondFactor.Type

export const RecoveryCodes = Schema.Struct({ recoveryCodes: Schema.Array(Schema.String) }).annotations({
  identifier: "RecoveryCodes"
})
export type RecoveryCodes = typeof RecoveryCodes.Type

const ownAlone = requiresNone("It concerns the caller alone.")

export class SecondFactorsGroup extends HttpApiGroup.make("secondFactors")
  .add(
    HttpApiEndpoint.get("state", "/users/me/second-factor")
      .addSuccess(SecondFactorState)
      .addError(Forbidden)
      .middleware(SessionOnly)
      .annotateContext(ownAlone)
      .annotate(
        OpenApi.Summary,
        "Since when the caller's sign-ins ask for a code, and how many recovery codes are left"
      )
  )
  .add(
    HttpApiEndpoint.post("setUp", "/users/me/second-factor")
      .setPayload(SetUpSecondFactor)
      .addSuccess(AuthenticatorSetUp, { status: 201 })
      .addError(Forbidden)
      .addError(PasswordIncorrect)
      .addError(SecondFactorPresent)
      .addError(RateLimited)
      .middleware(SessionOnly)
      .annotateContext(ownAlone)
      .annotate(OpenApi.Summary, "Begin to set up an authenticator app; its key is shown this once")
      .annotate(
        OpenApi.Description,
        "Sign-ins ask for a code once one was shown to the confirmation. Beginning again replaces what was begun."
      )
  )
  .add(
    HttpApiEndpoint.post("confirm", "/users/me/second-factor/confirmation")
      .setPayload(ConfirmSecondFactor)
      .addSuccess(RecoveryCodes)
      .addError(Forbidden)
      .addError(SecondFactorIncorrect)
      .addError(SecondFactorNotBegun)
      .addError(SecondFactorPresent)
      .addError(RateLimited)
      .middleware(SessionOnly)
      .annotateContext(ownAlone)
      .annotate(OpenApi.Summary, "Show a code of the app: from now on sign-ins ask for one")
      .annotate(
        OpenApi.Description,
        "Answers ten recovery codes, for when the app is lost. They are shown this once, and each is good once."
      )
  )
  .add(
    HttpApiEndpoint.post("newRecoveryCodes", "/users/me/second-factor/recovery-codes")
      .setPayload(ProveSecondFactor)
      .addSuccess(RecoveryCodes)
      .addError(Forbidden)
      .addError(PasswordIncorrect)
      .addError(SecondFactorAbsent)
      .addError(SecondFactorIncorrect)
      .addError(RateLimited)
      .middleware(SessionOnly)
      .annotateContext(ownAlone)
      .annotate(OpenApi.Summary, "Replace the caller's recovery codes by ten new ones, which are shown this once")
  )
  .add(
    HttpApiEndpoint.post("remove", "/users/me/second-factor/removal")
      .setPayload(ProveSecondFactor)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(Forbidden)
      .addError(PasswordIncorrect)
      .addError(SecondFactorAbsent)
      .addError(SecondFactorIncorrect)
      .addError(RateLimited)
      .middleware(SessionOnly)
      .annotateContext(ownAlone)
      .annotate(OpenApi.Summary, "Take the caller's second factor away: a password is enough from then on")
  )
  .add(
    HttpApiEndpoint.del("removeOfMember")`/organization/${organizationId}/members/${membershipId}/second-factor`
      .addSuccess(HttpApiSchema.NoContent)
      .addError(Forbidden)
      .addError(OrganizationNotFound)
      .addError(MemberNotFound)
      .addError(SecondFactorAbsent)
      .middleware(SessionOnly)
      .annotateContext(rescuesMember)
      .annotate(OpenApi.Summary, "Take the second factor of a member away who has lost app and recovery codes")
  )
  .annotate(OpenApi.Title, "Second factors")
  .annotate(OpenApi.Description, "Authenticator apps whose codes a sign-in asks for beside the password.") {}
