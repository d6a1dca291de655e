import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { longestWanted } from "../../src/domain/access/OpenId.ts"
import { IdentityId } from "../../src/domain/Ids.ts"
import { optional } from "../Optional.ts"
import { numeric } from "../Parameters.ts"
import { RateLimited } from "../RequestErrors.ts"
import { text } from "../Text.ts"
import { Traffic } from "../Traffic.ts"
import { Forbidden, SignUpClosed, TooManyAccounts } from "./AccessErrors.ts"
import { SessionOnly } from "./Auth.ts"
import {
  IdentityNeeded,
  IdentityNotFound,
  OidcAccountLinked,
  OidcEmailUnverified,
  OidcNotConfigured,
  OidcRefused,
  OidcStateInvalid,
  OidcUnavailable
} from "./OpenIdErrors.ts"
import { requiresNone } from "./RequiredPermission.ts"

/** Whether people sign in through a provider, what it is called, and whether anybody else signs in by password. */
export const OidcPolicy = Schema.Struct({ name: Schema.NullOr(Schema.String), only: Schema.Boolean }).annotations({
  identifier: "OidcPolicy"
})
export type OidcPolicy = typeof OidcPolicy.Type

/** Who the caller is at a provider. */
export const IdentityRecord = Schema.Struct({
  id: IdentityId,
  issuer: Schema.String,
  subject: Schema.String,
  email: Schema.String,
  createdAt: Schema.DateTimeUtc,
  lastUsedAt: Schema.DateTimeUtc
}).annotations({ identifier: "Identity" })

export const IdentityList = Schema.Struct({
  identities: Schema.Array(IdentityRecord),
  hasPassword: Schema.Boolean
}).annotations({ identifier: "IdentityList" })
export type IdentityList = typeof IdentityList.Type

const redirected = (description: string) =>
  Schema.Void.annotations(HttpApiSchema.annotations({ status: 302, description }))

const returnTo = text(0, longestWanted)
const identityId = HttpApiSchema.param("identityId", numeric(IdentityId))

export class OpenIdGroup extends HttpApiGroup.make("openId")
  .add(
    HttpApiEndpoint.get("policy", "/users/auth/oidc")
      .addSuccess(OidcPolicy)
      .annotateContext(requiresNone("Shown before anybody is signed in."))
      .annotate(OpenApi.Summary, "What the provider is called through which people sign in; null where there is none")
      .annotate(OpenApi.Override, { security: [] })
  )
  .add(
    HttpApiEndpoint.get("start", "/users/auth/oidc/start")
      .setUrlParams(Schema.Struct({ returnTo: optional(returnTo) }))
      .addSuccess(redirected("On to the provider; also of a browser that cannot be led there, to the sign-in page"))
      .addError(OidcNotConfigured)
      .addError(OidcUnavailable)
      .addError(RateLimited)
      .annotate(Traffic, "entry")
      .annotateContext(requiresNone("The provider decides."))
      .annotate(OpenApi.Summary, "Begin to sign in through the provider, and come back to a page of this server")
      .annotate(
        OpenApi.Description,
        "The browser gets a cookie for ten minutes and goes to the provider. Whoever accepts text/html is led to the sign-in page with the code of a failure; others get the failure."
      )
      .annotate(OpenApi.Override, { security: [] })
  )
  .add(
    HttpApiEndpoint.get("callback", "/users/auth/oidc/callback")
      .addSuccess(redirected("Back to the page where the sign-in began, signed in; or to the sign-in page"))
      .addError(OidcNotConfigured)
      .addError(OidcStateInvalid)
      .addError(OidcRefused)
      .addError(OidcEmailUnverified)
      .addError(OidcAccountLinked)
      .addError(SignUpClosed)
      .addError(TooManyAccounts)
      .addError(OidcUnavailable)
      .addError(RateLimited)
      .annotate(Traffic, "entry")
      .annotateContext(requiresNone("The provider decides."))
      .annotate(
        OpenApi.Summary,
        "Where the provider leads back: adds an account to this browser and makes it the active one"
      )
      .annotate(
        OpenApi.Description,
        "What the provider answers stands in the query: `code` and `state`, or `error`. The account is the one that is linked to the identity; else the one of the e-mail address, if the provider has verified it; else a new one, where --sign-up or a group of --oidc-roles allows it. Whoever accepts text/html is led to the sign-in page with the code of a failure; others get the failure."
      )
      .annotate(OpenApi.Override, { security: [] })
  )
  .add(
    HttpApiEndpoint.get("identities", "/users/identities")
      .addSuccess(IdentityList)
      .addError(Forbidden)
      .middleware(SessionOnly)
      .annotateContext(requiresNone("It concerns the caller alone."))
      .annotate(OpenApi.Summary, "Identities at providers that the caller's account is linked to")
  )
  .add(
    HttpApiEndpoint.del("unlink")`/users/identities/${identityId}`
      .addSuccess(HttpApiSchema.NoContent)
      .addError(Forbidden)
      .addError(IdentityNotFound)
      .addError(IdentityNeeded)
      .middleware(SessionOnly)
      .annotateContext(requiresNone("It concerns the caller alone."))
      .annotate(OpenApi.Summary, "Unlink an identity from the caller's account, which needs a password then")
  )
  .annotate(OpenApi.Title, "Single sign-on")
  .annotate(OpenApi.Description, "Sign-in through a provider of OpenID Connect.") {}
