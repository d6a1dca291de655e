import { Clock, Effect, Layer, Redacted, Ref } from "effect"
import type * as OpenId from "openid-client"
import { isThisMachine } from "../../domain/access/Loopback.ts"
import { type Claims, claimsOf } from "../../domain/access/OpenId.ts"
import {
  IdentityProvider,
  ProviderRefused,
  ProviderUnavailable,
  type SentFlow
} from "../../ports/access/IdentityProvider.ts"

type Library = typeof OpenId

const patienceSeconds = 10

/** Milliseconds for which what a provider says of itself is not asked again. */
const knownFor = 3_600_000

/** Kept by the build in a part of its own, which is loaded with the first sign-in. */
const library = Effect.promise(() => import("openid-client"))

/** How this server is known to the provider. */
interface Client {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  readonly groupsClaim: string
}

/** No provider is named. */
export const NoProvider = Layer.succeed(IdentityProvider, {
  authorizationUrl: () => new ProviderUnavailable({ reason: "No provider is named: see --oidc-issuer" }),
  claims: () => new ProviderUnavailable({ reason: "No provider is named: see --oidc-issuer" })
})

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : ""

/** What went wrong, in one line: messages of the library name claims and answers, and no token or secret. */
const reasonOf = (error: unknown): string => {
  const said = error instanceof Error ? [error.message, codeOf(error)].filter((each) => each !== "").join(" ") : ""
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : ""
  const told = `${said}${cause}`.replaceAll(/\s+/g, " ").trim().slice(0, 300)
  return told === "" ? "The provider answered nothing that could be read" : told
}

const unavailable = (error: unknown) => new ProviderUnavailable({ reason: reasonOf(error) })

/** Failures that say nothing of whoever signs in: the network, and answers that are not those of a provider. */
const outages: ReadonlySet<string> = new Set([
  "OAUTH_TIMEOUT",
  "OAUTH_ABORT",
  "OAUTH_RESPONSE_IS_NOT_CONFORM",
  "OAUTH_RESPONSE_IS_NOT_JSON",
  "OAUTH_PARSE_ERROR"
])

/** What the provider says of this server rather than of whoever signs in (RFC 6749, 5.2). */
const ownFaults: ReadonlySet<string> = new Set(["invalid_client", "unauthorized_client", "unsupported_grant_type"])

const failureOf =
  ({ AuthorizationResponseError, ResponseBodyError }: Library) =>
  (error: unknown): ProviderUnavailable | ProviderRefused => {
    if (error instanceof AuthorizationResponseError) return new ProviderRefused({ reason: reasonOf(error) })
    if (error instanceof ResponseBodyError) {
      const reason = `${error.error}: ${error.error_description ?? "no description"}`.slice(0, 300)
      return error.status >= 500 || ownFaults.has(error.error)
        ? new ProviderUnavailable({ reason })
        : new ProviderRefused({ reason })
    }
    if (error instanceof TypeError || outages.has(codeOf(error))) return unavailable(error)
    return new ProviderRefused({ reason: reasonOf(error) })
  }

/** Shows the secret as the provider takes it: in a header, unless it takes it in the body alone. */
const authenticationOf = (
  { None, ClientSecretBasic, ClientSecretPost }: Library,
  secret: string
): OpenId.ClientAuth => {
  if (secret === "") return None()
  const [inHeader, inBody] = [ClientSecretBasic(secret), ClientSecretPost(secret)]
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"]
    const isInBody = !methods.includes("client_secret_basic") && methods.includes("client_secret_post")
    return (isInBody ? inBody : inHeader)(server, client, body, headers)
  }
}

/** What a provider says of itself, asked anew each hour. */
const discovery = ({ issuer, clientId, clientSecret }: Client) =>
  Effect.map(Ref.make<{ readonly at: number; readonly found: OpenId.Configuration } | null>(null), (known) => {
    const server = new URL(issuer)
    const isNear = server.protocol === "http:" && isThisMachine(server.hostname.replace(/^\[|\]$/g, ""))

    const discover = Effect.flatMap(library, (client) =>
      Effect.tryPromise({
        try: () =>
          client.discovery(server, clientId, undefined, authenticationOf(client, Redacted.value(clientSecret)), {
            timeout: patienceSeconds,
            // Signatures are verified although the tokens come over TLS.
            execute: [client.enableNonRepudiationChecks, ...(isNear ? [client.allowInsecureRequests] : [])]
          }),
        catch: unavailable
      })
    )

    return Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const last = yield* Ref.get(known)
      if (last !== null && now - last.at < knownFor) return last.found
      const found = yield* discover
      yield* Ref.set(known, { at: now, found })
      return found
    })
  })

/** The rights that are asked for: groups only of providers that know them. */
const scopeOf = (configuration: OpenId.Configuration): string => {
  const known = configuration.serverMetadata().scopes_supported ?? []
  return ["openid", "email", "profile", ...(known.includes("groups") ? ["groups"] : [])].join(" ")
}

/** Claims that a provider may leave to its page of user information. */
const isWhole = (claims: OpenId.IDToken, groupsClaim: string): boolean =>
  ["email", "email_verified", "name", groupsClaim].every((name) => claims[name] !== undefined)

/** An address and whether it is verified, which count together: as they are signed, if both are. */
const addressIn = (signed: OpenId.IDToken, added: Partial<OpenId.UserInfoResponse>) => {
  const { email, email_verified } = signed["email_verified"] === undefined ? added : signed
  return { email, email_verified }
}

/** Characters of a subject at most (OpenID Connect Core 1.0, 2). */
const longestSubject = 255

/** Signs people in through the provider of OpenID Connect. */
export const OpenIdProvider = (client: Client) =>
  Layer.effect(
    IdentityProvider,
    Effect.map(discovery(client), (discovered) => {
      const authorizationUrl = Effect.fnUntraced(function* ({ redirectUri, state, nonce, verifier }: SentFlow) {
        const { buildAuthorizationUrl, calculatePKCECodeChallenge } = yield* library
        const configuration = yield* discovered
        const challenge = yield* Effect.promise(() => calculatePKCECodeChallenge(verifier))
        const asked = { redirect_uri: redirectUri, scope: scopeOf(configuration), state, nonce }
        return yield* Effect.try({
          try: () =>
            buildAuthorizationUrl(configuration, {
              ...asked,
              code_challenge: challenge,
              code_challenge_method: "S256"
            }).href,
          catch: unavailable
        })
      })

      const tokensOf = (
        library: Library,
        configuration: OpenId.Configuration,
        answer: URLSearchParams,
        { redirectUri, state, nonce, verifier }: SentFlow
      ) =>
        Effect.tryPromise({
          try: () =>
            library.authorizationCodeGrant(configuration, new URL(`${redirectUri}?${answer.toString()}`), {
              expectedState: state,
              expectedNonce: nonce,
              pkceCodeVerifier: verifier,
              idTokenExpected: true
            }),
          catch: failureOf(library)
        })

      /** What the provider's page of user information adds; nothing where it has none. */
      const added = (library: Library, configuration: OpenId.Configuration, token: string, subject: string) =>
        configuration.serverMetadata().userinfo_endpoint === undefined
          ? Effect.succeed({})
          : Effect.tryPromise({
              try: () => library.fetchUserInfo(configuration, token, subject),
              catch: failureOf(library)
            })

      const claims = Effect.fnUntraced(function* (answer: URLSearchParams, flow: SentFlow) {
        const loaded = yield* library
        const configuration = yield* discovered
        const tokens = yield* tokensOf(loaded, configuration, answer, flow)
        const told = tokens.claims()
        if (told === undefined) return yield* new ProviderRefused({ reason: "The provider sent no ID token" })
        if (told.sub.length > longestSubject) return yield* new ProviderRefused({ reason: "The subject is too long" })
        const more: Partial<OpenId.UserInfoResponse> = isWhole(told, client.groupsClaim)
          ? {}
          : yield* added(loaded, configuration, tokens.access_token, told.sub)
        const read = claimsOf({ ...more, ...told, ...addressIn(told, more) }, client.groupsClaim)
        return { ...read, issuer: told.iss, subject: told.sub } satisfies Claims
      })

      return IdentityProvider.of({ authorizationUrl, claims })
    })
  )
