import { Context, Data, type Effect } from "effect"
import type { Claims } from "../../domain/access/OpenId.ts"

/** What a sign-in sends to the provider and expects back. */
export interface SentFlow {
  /** The address of this server to which the provider leads back. */
  readonly redirectUri: string
  readonly state: string
  readonly nonce: string
  /** The code verifier of PKCE (RFC 7636), whose hash goes along first. */
  readonly verifier: string
}

/** The provider does not answer, or not as providers do; `reason` says why, without a secret. */
export class ProviderUnavailable extends Data.TaggedError("ProviderUnavailable")<{ readonly reason: string }> {}

/** The provider, or a check of what it answered, refuses the sign-in; `reason` says why, without a secret. */
export class ProviderRefused extends Data.TaggedError("ProviderRefused")<{ readonly reason: string }> {}

/** The provider of OpenID Connect that the operator has named. Where none is, everything fails with `ProviderUnavailable`. */
export class IdentityProvider extends Context.Tag("ports/access/IdentityProvider")<
  IdentityProvider,
  {
    /** The page of the provider on which somebody signs in. */
    readonly authorizationUrl: (flow: SentFlow) => Effect.Effect<string, ProviderUnavailable>
    /**
     * Exchanges the code with which the provider has led back, and verifies state, issuer, audience, nonce, expiry and signature of what it
     * answers. A code is good once.
     */
    readonly claims: (
      answer: URLSearchParams,
      flow: SentFlow
    ) => Effect.Effect<Claims, ProviderUnavailable | ProviderRefused>
  }
>() {}
