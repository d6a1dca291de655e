import { Effect, Layer } from "effect"
import type { Claims } from "../../../domain/access/OpenId.ts"
import { IdentityProvider, ProviderRefused, ProviderUnavailable } from "../../../ports/access/IdentityProvider.ts"

/** The code that finds the provider out of service. */
export const outageCode = "outage"

/** A provider without a network: each code signs in, once, whoever stands under it. */
export const IdentityProviderMemory = (people: Map<string, Claims>) =>
  Layer.succeed(IdentityProvider, {
    authorizationUrl: ({ redirectUri, state, nonce }) =>
      Effect.succeed(
        `https://provider.test/authorize?${new URLSearchParams({ redirect_uri: redirectUri, state, nonce }).toString()}`
      ),
    claims: (answer, { state }) =>
      Effect.suspend((): Effect.Effect<Claims, ProviderRefused | ProviderUnavailable> => {
        const code = answer.get("code") ?? ""
        if (code === outageCode) return new ProviderUnavailable({ reason: "The provider is out of service" })
        const claims = people.get(code)
        people.delete(code)
        if (claims === undefined || answer.get("state") !== state) {
          return new ProviderRefused({ reason: "The code is unknown or was used" })
        }
        return Effect.succeed(claims)
      })
  })
