import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { UserId } from "../../src/domain/Ids.ts"
import { SessionOnly, SessionOrPat } from "./Auth.ts"
import { RateLimited } from "../RequestErrors.ts"
import { Forbidden, PasswordIncorrect, PasswordTooWeak, SessionNotFound, UserNotFound } from "./AccessErrors.ts"
import { oneOf, optional } from "../Optional.ts"
import { anyCase, numeric } from "../Parameters.ts"
import { KnownEmail, text, Title } from "../Text.ts"
import { requiresNone } from "./RequiredPermission.ts"
import { example } from "../Example.ts"

export const UserRecord = Schema.Struct({
  id: UserId,
  email: KnownEmail,
  name: Schema.String,
  externalReference: Schema.String,
  createdAt: Schema.DateTimeUtc,
  deletedAt: Schema.NullOr(Schema.DateTimeUtc),
  userMetadata: Schema.Struct({ email: KnownEmail, name: Schema.String, picture: Schema.String })
}).annotations({ identifier: "User" })
export type UserRecord = typeof UserRecord.Type

/** The caller, as the caller alone is told. */
export const CallerRecord = Schema.Struct({
  ...UserRecord.fields,
  ownsServer: Schema.Boolean.annotations({
    description: "Whether the setting --owner names them: they see backups and the state of the server"
  })
}).annotations({ identifier: "Caller" })
export type CallerRecord = typeof CallerRecord.Type

/** What others see of a person: in members, grants and records. */
export const Person = Schema.Struct({
  id: UserId,
  email: KnownEmail,
  name: Schema.String,
  picture: Schema.String
}).annotations({ identifier: "Person" })
export type Person = typeof Person.Type

export const UpdateUser = Schema.Struct({ name: optional(Title) })
  .annotations({ identifier: "UpdateUser" })
  .pipe(example({ name: "Robin Hale-Ortiz" }))
export type UpdateUser = typeof UpdateUser.Type

export const ChangePassword = Schema.Struct({
  currentPassword: text(0, 1024),
  newPassword: text(8, 256)
})
  .annotations({ identifier: "ChangePassword" })
  .pipe(example({ currentPassword: "correct horse battery staple", newPassword: "a sturdier horse, a longer staple" }))
export type ChangePassword = typeof ChangePassword.Type

/** A sign-in of the caller in one browser. */
export const SessionRecord = Schema.Struct({
  id: Schema.Int.pipe(Schema.positive()),
  handle: Schema.String,
  status: oneOf("active", "available", "expired"),
  isCurrent: Schema.Boolean,
  createdAt: Schema.DateTimeUtc,
  lastUsedAt: Schema.DateTimeUtc,
  expiresAt: Schema.DateTimeUtc,
  browser: Schema.NullOr(Schema.String),
  address: Schema.NullOr(Schema.String)
}).annotations({ identifier: "Session" })
export type SessionRecord = typeof SessionRecord.Type

/** An attempt to get into the caller's account. */
export const SignInRecord = Schema.Struct({
  outcome: oneOf("signedIn", "passkey", "singleSignOn", "wrongPassword", "wrongCode", "passwordReset"),
  at: Schema.DateTimeUtc,
  browser: Schema.NullOr(Schema.String),
  address: Schema.NullOr(Schema.String)
}).annotations({ identifier: "SignInAttempt" })
export type SignInRecord = typeof SignInRecord.Type

const sessionId = HttpApiSchema.param("sessionId", numeric(Schema.Int.pipe(Schema.positive())))
const userId = HttpApiSchema.param("userId", anyCase(UserId))

export class UsersGroup extends HttpApiGroup.make("users")
  .add(
    HttpApiEndpoint.get("me", "/users/me")
      .addSuccess(CallerRecord)
      .addError(Forbidden)
      .middleware(SessionOrPat)
      .annotateContext(requiresNone("It concerns the caller alone."))
      .annotate(OpenApi.Summary, "The caller")
  )
  .add(
    HttpApiEndpoint.patch("updateMe", "/users/me")
      .setPayload(UpdateUser)
      .addSuccess(UserRecord)
      .addError(Forbidden)
      .middleware(SessionOnly)
      .annotateContext(requiresNone("It concerns the caller alone."))
      .annotate(OpenApi.Summary, "Change the caller's name")
  )
  .add(
    HttpApiEndpoint.post("changePassword", "/users/me/password")
      .setPayload(ChangePassword)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(Forbidden)
      .addError(PasswordIncorrect)
      .addError(PasswordTooWeak)
      .addError(RateLimited)
      .middleware(SessionOnly)
      .annotateContext(requiresNone("It concerns the caller alone."))
      .annotate(OpenApi.Summary, "Change the caller's password and end every other session of theirs")
  )
  .add(
    HttpApiEndpoint.get("sessions", "/users/sessions")
      .addSuccess(Schema.Array(SessionRecord))
      .addError(Forbidden)
      .middleware(SessionOnly)
      .annotateContext(requiresNone("It concerns the caller alone."))
      .annotate(
        OpenApi.Summary,
        "Browsers in which the caller is signed in, and from which address each signed in last"
      )
  )
  .add(
    HttpApiEndpoint.get("signIns", "/users/sign-ins")
      .addSuccess(Schema.Array(SignInRecord))
      .addError(Forbidden)
      .middleware(SessionOnly)
      .annotateContext(requiresNone("It concerns the caller alone."))
      .annotate(OpenApi.Summary, "The last 100 attempts to get into the caller's account, newest first")
  )
  .add(
    HttpApiEndpoint.del("endOtherSessions", "/users/sessions")
      .addSuccess(HttpApiSchema.NoContent)
      .addError(Forbidden)
      .middleware(SessionOnly)
      .annotateContext(requiresNone("It concerns the caller alone."))
      .annotate(OpenApi.Summary, "End every session of the caller except this one")
  )
  .add(
    HttpApiEndpoint.del("endSession")`/users/sessions/${sessionId}`
      .addSuccess(HttpApiSchema.NoContent)
      .addError(Forbidden)
      .addError(SessionNotFound)
      .middleware(SessionOnly)
      .annotateContext(requiresNone("It concerns the caller alone."))
      .annotate(OpenApi.Summary, "End one session of the caller")
  )
  .add(
    HttpApiEndpoint.get("picture")`/users/${userId}/picture`
      .addSuccess(HttpApiSchema.Text({ contentType: "image/svg+xml" }))
      .addError(UserNotFound)
      .annotateContext(requiresNone("The pattern tells nothing but the id."))
      .annotate(OpenApi.Summary, "Identicon of a user, where no other picture is known")
  )
  .annotate(OpenApi.Title, "Users")
  .annotate(OpenApi.Description, "The caller's own record, password and sessions.") {}
