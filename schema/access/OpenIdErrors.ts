import { Failure } from "../Failure.ts"

export class OidcStateInvalid extends Failure<OidcStateInvalid>()(
  "OIDC_STATE_INVALID",
  401,
  "The sign-in did not begin in this browser, took longer than ten minutes, or was changed."
) {}
export class OidcRefused extends Failure<OidcRefused>()(
  "OIDC_REFUSED",
  401,
  "The provider refused the sign-in, or what it answered does not hold."
) {}
export class OidcEmailUnverified extends Failure<OidcEmailUnverified>()(
  "OIDC_EMAIL_UNVERIFIED",
  403,
  "The provider has not verified the e-mail address of somebody who has no account of this provider yet."
) {}
export class PasswordSignInOff extends Failure<PasswordSignInOff>()(
  "PASSWORD_SIGN_IN_OFF",
  403,
  "People sign in through the provider alone: see --oidc-only."
) {}
export class IdentityNotFound extends Failure<IdentityNotFound>()(
  "IDENTITY_NOT_FOUND",
  404,
  "The caller's account is linked to no identity of that id."
) {}
export class OidcNotConfigured extends Failure<OidcNotConfigured>()(
  "OIDC_NOT_CONFIGURED",
  409,
  "The server knows no provider to sign in through: see --oidc-issuer."
) {}
export class OidcAccountLinked extends Failure<OidcAccountLinked>()(
  "OIDC_ACCOUNT_LINKED",
  409,
  "The account of the e-mail address is linked to another identity of the provider."
) {}
export class IdentityNeeded extends Failure<IdentityNeeded>()(
  "IDENTITY_NEEDED",
  409,
  "The account has no password, so that nobody could sign in to it without the identity."
) {}
export class OidcUnavailable extends Failure<OidcUnavailable>()(
  "OIDC_UNAVAILABLE",
  503,
  "The provider does not answer, or does not know this server."
) {}
