import { HttpApiSchema } from "@effect/platform"
import { Schema } from "effect"

export const reasons = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  413: "Payload Too Large",
  415: "Unsupported Media Type",
  422: "Unprocessable Entity",
  429: "Too Many Requests",
  500: "Internal Server Error",
  501: "Not Implemented",
  503: "Service Unavailable",
  507: "Insufficient Storage"
} as const
export type Status = keyof typeof reasons

/** What every refused request answers. */
export interface Envelope {
  readonly statusCode: number
  readonly code: string
  readonly error: string
  readonly message: string
}

const constant = <const L extends string | number>(value: L) =>
  Schema.Literal(value).pipe(
    Schema.propertySignature,
    Schema.withConstructorDefault(() => value)
  )

/** Fields and status of one failure. `_tag` is a plain class field, so it stays in the process and off the wire. */
export const failure = <const S extends Status, const C extends string>(status: S, code: C) =>
  [
    {
      statusCode: constant(status),
      code: constant(code),
      error: constant(reasons[status]),
      message: Schema.String
    },
    { [HttpApiSchema.AnnotationStatus]: status }
  ] as const

export class ValidationFailed extends Schema.Class<ValidationFailed>("ValidationFailed")(
  ...failure(400, "VALIDATION_FAILED")
) {
  readonly _tag = "ValidationFailed"
}
export class MalformedJson extends Schema.Class<MalformedJson>("MalformedJson")(...failure(400, "MALFORMED_JSON")) {
  readonly _tag = "MalformedJson"
}
export class MalformedRequest extends Schema.Class<MalformedRequest>("MalformedRequest")(
  ...failure(400, "MALFORMED_REQUEST")
) {
  readonly _tag = "MalformedRequest"
}
export class CursorInvalid extends Schema.Class<CursorInvalid>("CursorInvalid")(...failure(400, "CURSOR_INVALID")) {
  readonly _tag = "CursorInvalid"
}
export class RouteNotFound extends Schema.Class<RouteNotFound>("RouteNotFound")(...failure(404, "ROUTE_NOT_FOUND")) {
  readonly _tag = "RouteNotFound"
}
export class MethodNotAllowed extends Schema.Class<MethodNotAllowed>("MethodNotAllowed")(
  ...failure(405, "METHOD_NOT_ALLOWED")
) {
  readonly _tag = "MethodNotAllowed"
}
export class PayloadTooLarge extends Schema.Class<PayloadTooLarge>("PayloadTooLarge")(
  ...failure(413, "PAYLOAD_TOO_LARGE")
) {
  readonly _tag = "PayloadTooLarge"
}
export class UnsupportedMediaType extends Schema.Class<UnsupportedMediaType>("UnsupportedMediaType")(
  ...failure(415, "UNSUPPORTED_MEDIA_TYPE")
) {
  readonly _tag = "UnsupportedMediaType"
}
export class RateLimited extends Schema.Class<RateLimited>("RateLimited")(...failure(429, "RATE_LIMITED")) {
  readonly _tag = "RateLimited"
  /** Sent as the header `Retry-After`, never in the body. */
  retryAfterSeconds = 1

  static after(seconds: number, message: string): RateLimited {
    const limited = new RateLimited({ message })
    limited.retryAfterSeconds = Math.max(1, Math.ceil(seconds))
    return limited
  }
}
export class InternalError extends Schema.Class<InternalError>("InternalError")(...failure(500, "INTERNAL_ERROR")) {
  readonly _tag = "InternalError"
}
export class NotImplemented extends Schema.Class<NotImplemented>("NotImplemented")(...failure(501, "NOT_IMPLEMENTED")) {
  readonly _tag = "NotImplemented"
}
export class Overloaded extends Schema.Class<Overloaded>("Overloaded")(...failure(503, "OVERLOADED")) {
  readonly _tag = "Overloaded"
  /** Sent as the header `Retry-After`, never in the body. */
  readonly retryAfterSeconds = 1
}
export class StorageFull extends Schema.Class<StorageFull>("StorageFull")(...failure(507, "STORAGE_FULL")) {
  readonly _tag = "StorageFull"
}

export class Unauthenticated extends Schema.Class<Unauthenticated>("Unauthenticated")(
  ...failure(401, "UNAUTHENTICATED")
) {
  readonly _tag = "Unauthenticated"
}
export class CredentialNotAccepted extends Schema.Class<CredentialNotAccepted>("CredentialNotAccepted")(
  ...failure(401, "CREDENTIAL_NOT_ACCEPTED")
) {
  readonly _tag = "CredentialNotAccepted"
}
export class InvalidCredentials extends Schema.Class<InvalidCredentials>("InvalidCredentials")(
  ...failure(401, "INVALID_CREDENTIALS")
) {
  readonly _tag = "InvalidCredentials"
}
export class AccountExpired extends Schema.Class<AccountExpired>("AccountExpired")(...failure(401, "ACCOUNT_EXPIRED")) {
  readonly _tag = "AccountExpired"
}
export class CrossSiteRequest extends Schema.Class<CrossSiteRequest>("CrossSiteRequest")(
  ...failure(403, "CROSS_SITE_REQUEST")
) {
  readonly _tag = "CrossSiteRequest"
}
export class Forbidden extends Schema.Class<Forbidden>("Forbidden")(...failure(403, "FORBIDDEN")) {
  readonly _tag = "Forbidden"
}
export class Escalation extends Schema.Class<Escalation>("Escalation")(...failure(403, "ESCALATION")) {
  readonly _tag = "Escalation"
}
export class SlotsExhausted extends Schema.Class<SlotsExhausted>("SlotsExhausted")(...failure(403, "SLOTS_EXHAUSTED")) {
  readonly _tag = "SlotsExhausted"
}

export class UserNotFound extends Schema.Class<UserNotFound>("UserNotFound")(...failure(404, "USER_NOT_FOUND")) {
  readonly _tag = "UserNotFound"
}
export class AccountNotFound extends Schema.Class<AccountNotFound>("AccountNotFound")(
  ...failure(404, "ACCOUNT_NOT_FOUND")
) {
  readonly _tag = "AccountNotFound"
}
export class OrganizationNotFound extends Schema.Class<OrganizationNotFound>("OrganizationNotFound")(
  ...failure(404, "ORGANIZATION_NOT_FOUND")
) {
  readonly _tag = "OrganizationNotFound"
}
export class MemberNotFound extends Schema.Class<MemberNotFound>("MemberNotFound")(
  ...failure(404, "MEMBER_NOT_FOUND")
) {
  readonly _tag = "MemberNotFound"
}
export class InvitationNotFound extends Schema.Class<InvitationNotFound>("InvitationNotFound")(
  ...failure(404, "INVITATION_NOT_FOUND")
) {
  readonly _tag = "InvitationNotFound"
}
export class IconNotFound extends Schema.Class<IconNotFound>("IconNotFound")(...failure(404, "ICON_NOT_FOUND")) {
  readonly _tag = "IconNotFound"
}
export class ApplicationNotFound extends Schema.Class<ApplicationNotFound>("ApplicationNotFound")(
  ...failure(404, "APPLICATION_NOT_FOUND")
) {
  readonly _tag = "ApplicationNotFound"
}
export class EnvironmentNotFound extends Schema.Class<EnvironmentNotFound>("EnvironmentNotFound")(
  ...failure(404, "ENVIRONMENT_NOT_FOUND")
) {
  readonly _tag = "EnvironmentNotFound"
}
export class RoleNotFound extends Schema.Class<RoleNotFound>("RoleNotFound")(...failure(404, "ROLE_NOT_FOUND")) {
  readonly _tag = "RoleNotFound"
}
export class GrantNotFound extends Schema.Class<GrantNotFound>("GrantNotFound")(...failure(404, "GRANT_NOT_FOUND")) {
  readonly _tag = "GrantNotFound"
}
export class ApiKeyNotFound extends Schema.Class<ApiKeyNotFound>("ApiKeyNotFound")(
  ...failure(404, "API_KEY_NOT_FOUND")
) {
  readonly _tag = "ApiKeyNotFound"
}

export class EmailTaken extends Schema.Class<EmailTaken>("EmailTaken")(...failure(409, "EMAIL_TAKEN")) {
  readonly _tag = "EmailTaken"
}
export class TooManyAccounts extends Schema.Class<TooManyAccounts>("TooManyAccounts")(
  ...failure(409, "TOO_MANY_ACCOUNTS")
) {
  readonly _tag = "TooManyAccounts"
}
export class PasswordIncorrect extends Schema.Class<PasswordIncorrect>("PasswordIncorrect")(
  ...failure(422, "PASSWORD_INCORRECT")
) {
  readonly _tag = "PasswordIncorrect"
}
export class SessionNotFound extends Schema.Class<SessionNotFound>("SessionNotFound")(
  ...failure(404, "SESSION_NOT_FOUND")
) {
  readonly _tag = "SessionNotFound"
}
export class ScopeInvalid extends Schema.Class<ScopeInvalid>("ScopeInvalid")(...failure(422, "SCOPE_INVALID")) {
  readonly _tag = "ScopeInvalid"
}
export class KeyDeactivated extends Schema.Class<KeyDeactivated>("KeyDeactivated")(...failure(409, "KEY_DEACTIVATED")) {
  readonly _tag = "KeyDeactivated"
}
export class KeyExpired extends Schema.Class<KeyExpired>("KeyExpired")(...failure(409, "KEY_EXPIRED")) {
  readonly _tag = "KeyExpired"
}
export class AlreadyMember extends Schema.Class<AlreadyMember>("AlreadyMember")(...failure(409, "ALREADY_MEMBER")) {
  readonly _tag = "AlreadyMember"
}
export class LastOwner extends Schema.Class<LastOwner>("LastOwner")(...failure(409, "LAST_OWNER")) {
  readonly _tag = "LastOwner"
}
export class RoleBuiltin extends Schema.Class<RoleBuiltin>("RoleBuiltin")(...failure(409, "ROLE_BUILTIN")) {
  readonly _tag = "RoleBuiltin"
}
export class RoleInUse extends Schema.Class<RoleInUse>("RoleInUse")(...failure(409, "ROLE_IN_USE")) {
  readonly _tag = "RoleInUse"
}
export class RoleNameTaken extends Schema.Class<RoleNameTaken>("RoleNameTaken")(...failure(409, "ROLE_NAME_TAKEN")) {
  readonly _tag = "RoleNameTaken"
}
export class AliasTaken extends Schema.Class<AliasTaken>("AliasTaken")(...failure(409, "ALIAS_TAKEN")) {
  readonly _tag = "AliasTaken"
}
export class EnvironmentProtected extends Schema.Class<EnvironmentProtected>("EnvironmentProtected")(
  ...failure(409, "ENVIRONMENT_PROTECTED")
) {
  readonly _tag = "EnvironmentProtected"
}
export class ImageInvalid extends Schema.Class<ImageInvalid>("ImageInvalid")(...failure(400, "IMAGE_INVALID")) {
  readonly _tag = "ImageInvalid"
}
export class TimeZoneUnknown extends Schema.Class<TimeZoneUnknown>("TimeZoneUnknown")(
  ...failure(422, "TIME_ZONE_UNKNOWN")
) {
  readonly _tag = "TimeZoneUnknown"
}
export class ImageNotFound extends Schema.Class<ImageNotFound>("ImageNotFound")(...failure(404, "IMAGE_NOT_FOUND")) {
  readonly _tag = "ImageNotFound"
}
