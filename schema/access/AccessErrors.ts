import { Failure } from "../Failure.ts"

export class ImageInvalid extends Failure<ImageInvalid>()(
  "IMAGE_INVALID",
  400,
  "The upload is no image of an accepted type, or has too many pixels a side."
) {}
export class Unauthenticated extends Failure<Unauthenticated>()(
  "UNAUTHENTICATED",
  401,
  "The credential is missing, unknown, expired or deactivated."
) {}
export class CredentialNotAccepted extends Failure<CredentialNotAccepted>()(
  "CREDENTIAL_NOT_ACCEPTED",
  401,
  "The credential is good and of a kind that this endpoint does not take."
) {}
export class InvalidCredentials extends Failure<InvalidCredentials>()(
  "INVALID_CREDENTIALS",
  401,
  "No account has the e-mail address, or the password is wrong."
) {}
export class SecondFactorRequired extends Failure<SecondFactorRequired>()(
  "SECOND_FACTOR_REQUIRED",
  401,
  "The password is right, and the account asks for a code beside it."
) {}
export class AccountExpired extends Failure<AccountExpired>()(
  "ACCOUNT_EXPIRED",
  401,
  "The session of that account of the browser has ended."
) {}
export class CrossSiteRequest extends Failure<CrossSiteRequest>()(
  "CROSS_SITE_REQUEST",
  403,
  "A page of another site sent the request with the session cookie."
) {}
export class Forbidden extends Failure<Forbidden>()(
  "FORBIDDEN",
  403,
  "The caller lacks the permission, or the token or key does not cover what the request touches."
) {}
export class SecondFactorDemanded extends Failure<SecondFactorDemanded>()(
  "SECOND_FACTOR_DEMANDED",
  403,
  "The organization lets nobody do anything who has signed in by password alone: set up a second factor, or sign in with it, a passkey or the provider."
) {}
export class Escalation extends Failure<Escalation>()(
  "ESCALATION",
  403,
  "The caller would give rights that the caller does not hold."
) {}
export class SignUpClosed extends Failure<SignUpClosed>()(
  "SIGN_UP_CLOSED",
  403,
  "The server takes no sign-up of this address: see --sign-up."
) {}
export class InviterLacksRights extends Failure<InviterLacksRights>()(
  "INVITER_LACKS_RIGHTS",
  403,
  "Whoever sent the invitation may no longer give its role."
) {}
export class SlotsExhausted extends Failure<SlotsExhausted>()(
  "SLOTS_EXHAUSTED",
  403,
  "The organization or project has as many members, projects or environments as it may have."
) {}
export class UserNotFound extends Failure<UserNotFound>()("USER_NOT_FOUND", 404, "No user has the id.") {}
export class AccountNotFound extends Failure<AccountNotFound>()(
  "ACCOUNT_NOT_FOUND",
  404,
  "The browser has no account of that handle."
) {}
export class OrganizationNotFound extends Failure<OrganizationNotFound>()(
  "ORGANIZATION_NOT_FOUND",
  404,
  "No organization has the id, or the caller is no member of it."
) {}
export class MemberNotFound extends Failure<MemberNotFound>()(
  "MEMBER_NOT_FOUND",
  404,
  "The organization has no member of that id."
) {}
export class InvitationNotFound extends Failure<InvitationNotFound>()(
  "INVITATION_NOT_FOUND",
  404,
  "The invitation never existed, was taken back, used or has expired."
) {}
export class IconNotFound extends Failure<IconNotFound>()("ICON_NOT_FOUND", 404, "The organization has no icon.") {}
export class ApplicationNotFound extends Failure<ApplicationNotFound>()(
  "APPLICATION_NOT_FOUND",
  404,
  "No project has the id, or it belongs to an organization that the caller is no member of."
) {}
export class EnvironmentNotFound extends Failure<EnvironmentNotFound>()(
  "ENVIRONMENT_NOT_FOUND",
  404,
  "The project has no environment of that id or alias."
) {}
export class RoleNotFound extends Failure<RoleNotFound>()(
  "ROLE_NOT_FOUND",
  404,
  "The organization has no role of that id."
) {}
export class GrantNotFound extends Failure<GrantNotFound>()(
  "GRANT_NOT_FOUND",
  404,
  "The member has no role of its own in the project."
) {}
export class ApiKeyNotFound extends Failure<ApiKeyNotFound>()(
  "API_KEY_NOT_FOUND",
  404,
  "The organization has no such key, or the caller no such personal token."
) {}
export class SessionNotFound extends Failure<SessionNotFound>()(
  "SESSION_NOT_FOUND",
  404,
  "The caller has no session of that id."
) {}
export class PasswordResetNotFound extends Failure<PasswordResetNotFound>()(
  "PASSWORD_RESET_NOT_FOUND",
  404,
  "The link for a new password does not exist, was used or replaced, or has expired."
) {}
export class ImageNotFound extends Failure<ImageNotFound>()("IMAGE_NOT_FOUND", 404, "The heatmap has no map image.") {}
export class SecondFactorPresent extends Failure<SecondFactorPresent>()(
  "SECOND_FACTOR_PRESENT",
  409,
  "The account has a second factor."
) {}
export class SecondFactorAbsent extends Failure<SecondFactorAbsent>()(
  "SECOND_FACTOR_ABSENT",
  409,
  "The account has no second factor."
) {}
export class SecondFactorNotBegun extends Failure<SecondFactorNotBegun>()(
  "SECOND_FACTOR_NOT_BEGUN",
  409,
  "There is no authenticator to confirm: the set-up gives the key for one."
) {}
export class MailNotConfigured extends Failure<MailNotConfigured>()(
  "MAIL_NOT_CONFIGURED",
  409,
  "The server sends no mails: see --smtp."
) {}
export class EmailTaken extends Failure<EmailTaken>()(
  "EMAIL_TAKEN",
  409,
  "An account with the e-mail address, in any case, already exists."
) {}
export class HandleTaken extends Failure<HandleTaken>()(
  "HANDLE_TAKEN",
  409,
  "Another account of this browser has the handle that the sign-in asks for."
) {}
export class TooManyAccounts extends Failure<TooManyAccounts>()(
  "TOO_MANY_ACCOUNTS",
  409,
  "The browser holds as many accounts as it may."
) {}
export class KeyDeactivated extends Failure<KeyDeactivated>()(
  "KEY_DEACTIVATED",
  409,
  "The key was deactivated, so it cannot change."
) {}
export class KeyExpired extends Failure<KeyExpired>()(
  "KEY_EXPIRED",
  409,
  "The key has expired; a rotation renews it if it says for how long."
) {}
export class AlreadyMember extends Failure<AlreadyMember>()(
  "ALREADY_MEMBER",
  409,
  "The person already is a member of the organization."
) {}
export class LastOwner extends Failure<LastOwner>()(
  "LAST_OWNER",
  409,
  "The change would leave the organization without an owner."
) {}
export class RoleBuiltin extends Failure<RoleBuiltin>()(
  "ROLE_BUILTIN",
  409,
  "Built-in roles can be neither changed nor deleted."
) {}
export class RoleLimitReached extends Failure<RoleLimitReached>()(
  "ROLE_LIMIT_REACHED",
  409,
  "The organization has as many roles as it may have."
) {}
export class KeyLimitReached extends Failure<KeyLimitReached>()(
  "KEY_LIMIT_REACHED",
  409,
  "The organization has as many keys, or the person as many personal access tokens, as they may have, and none of them is deactivated."
) {}
export class OrganizationLimitReached extends Failure<OrganizationLimitReached>()(
  "ORGANIZATION_LIMIT_REACHED",
  409,
  "The person belongs to as many organizations as somebody may belong to who makes another one."
) {}
export class RoleInUse extends Failure<RoleInUse>()(
  "ROLE_IN_USE",
  409,
  "A member holds the role or is invited to it, so it cannot be deleted."
) {}
export class RoleChanged extends Failure<RoleChanged>()(
  "ROLE_CHANGED",
  409,
  "Somebody has changed the role since the state on which the request is based."
) {}
export class RoleNameTaken extends Failure<RoleNameTaken>()(
  "ROLE_NAME_TAKEN",
  409,
  "Another role of the organization has the name, in any case."
) {}
export class AliasTaken extends Failure<AliasTaken>()(
  "ALIAS_TAKEN",
  409,
  "Another environment of the project answers to the alias."
) {}
export class EnvironmentProtected extends Failure<EnvironmentProtected>()(
  "ENVIRONMENT_PROTECTED",
  409,
  "The production environment keeps its alias and cannot be deleted."
) {}
export class PasswordIncorrect extends Failure<PasswordIncorrect>()(
  "PASSWORD_INCORRECT",
  422,
  "The current password is wrong."
) {}
export class PasswordTooWeak extends Failure<PasswordTooWeak>()(
  "PASSWORD_TOO_WEAK",
  422,
  "The new password is easier to guess than --password-strength allows."
) {}
export class SecondFactorIncorrect extends Failure<SecondFactorIncorrect>()(
  "SECOND_FACTOR_INCORRECT",
  422,
  "The code is not a present one of the authenticator app and not a recovery code, or it was used."
) {}
export class ScopeInvalid extends Failure<ScopeInvalid>()(
  "SCOPE_INVALID",
  422,
  "The key names projects, environments or permissions that it cannot have."
) {}
export class TimeZoneUnknown extends Failure<TimeZoneUnknown>()(
  "TIME_ZONE_UNKNOWN",
  422,
  "No IANA time zone has the name."
) {}
