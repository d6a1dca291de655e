import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { transports } from "../../src/domain/access/Passkey.ts"
import { PasskeyId } from "../../src/domain/Ids.ts"
import { example } from "../Example.ts"
import { optional } from "../Optional.ts"
import { numeric } from "../Parameters.ts"
import { RateLimited } from "../RequestErrors.ts"
import { Handle, text, Title } from "../Text.ts"
import { Traffic } from "../Traffic.ts"
import {
  CrossSiteRequest,
  Forbidden,
  HandleTaken,
  PasswordIncorrect,
  SecondFactorIncorrect,
  SecondFactorRequired,
  TooManyAccounts
} from "./AccessErrors.ts"
import { SignedIn } from "./Accounts.ts"
import { SessionOnly } from "./Auth.ts"
import { PasswordSignInOff } from "./OpenIdErrors.ts"
import {
  PasskeyKnown,
  PasskeyNotFound,
  PasskeyRefused,
  PasskeysExhausted,
  PasskeysUnavailable
} from "./PasskeyErrors.ts"
import { requiresNone } from "./RequiredPermission.ts"

export const PasskeyRecord = Schema.Struct({
  id: PasskeyId,
  name: Schema.String,
  createdAt: Schema.DateTimeUtc,
  lastUsedAt: Schema.NullOr(Schema.DateTimeUtc)
}).annotations({ identifier: "Passkey" })
export type PasskeyRecord = typeof PasskeyRecord.Type

/** Whether people can have passkeys on this server. */
export const PasskeyPolicy = Schema.Struct({ available: Schema.Boolean }).annotations({ identifier: "PasskeyPolicy" })
export type PasskeyPolicy = typeof PasskeyPolicy.Type

export const BeginPasskey = Schema.Struct({ currentPassword: text(0, 1024), code: optional(text(1, 64)) })
  .annotations({ identifier: "BeginPasskey" })
  .pipe(example({ currentPassword: "correct horse battery staple" }))
export type BeginPasskey = typeof BeginPasskey.Type

const KnownCredential = Schema.Struct({
  id: Schema.String,
  type: Schema.Literal("public-key"),
  transports: Schema.Array(Schema.Literal(...transports))
})

/** What a browser gives its authenticator to make a passkey: `PublicKeyCredentialCreationOptionsJSON` of Web Authentication. */
export const PasskeyCreation = Schema.Struct({
  challenge: Schema.String,
  rp: Schema.Struct({ id: Schema.String, name: Schema.String }),
  user: Schema.Struct({ id: Schema.String, name: Schema.String, displayName: Schema.String }),
  pubKeyCredParams: Schema.Array(Schema.Struct({ alg: Schema.Int, type: Schema.Literal("public-key") })),
  timeout: Schema.Int,
  excludeCredentials: Schema.Array(KnownCredential),
  authenticatorSelection: Schema.Struct({
    residentKey: Schema.Literal("required"),
    requireResidentKey: Schema.Literal(true),
    userVerification: Schema.Literal("required")
  }),
  attestation: Schema.Literal("none")
}).annotations({ identifier: "PasskeyCreation" })
export type PasskeyCreation = typeof PasskeyCreation.Type

/** What a browser gives its authenticator to sign in: `PublicKeyCredentialRequestOptionsJSON` of Web Authentication. */
export const PasskeyRequest = Schema.Struct({
  challenge: Schema.String,
  rpId: Schema.String,
  timeout: Schema.Int,
  userVerification: Schema.Literal("required")
}).annotations({ identifier: "PasskeyRequest" })
export type PasskeyRequest = typeof PasskeyRequest.Type

const base64 = text(1, 16_384)

const common = {
  id: text(1, 2048),
  rawId: text(1, 2048),
  type: Schema.Literal("public-key"),
  clientExtensionResults: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
  authenticatorAttachment: optional(Schema.NullOr(text(1, 32)))
}

/** `RegistrationResponseJSON` of Web Authentication. What it repeats of the attestation is not read. */
export const PasskeyMade = Schema.Struct({
  ...common,
  response: Schema.Struct({
    clientDataJSON: base64,
    attestationObject: base64,
    transports: optional(Schema.Array(text(1, 32)).pipe(Schema.maxItems(16))),
    authenticatorData: optional(base64),
    publicKey: optional(base64),
    publicKeyAlgorithm: optional(Schema.Int)
  })
}).annotations({ identifier: "PasskeyMade" })

/** `AuthenticationResponseJSON` of Web Authentication. */
export const PasskeyUsed = Schema.Struct({
  ...common,
  response: Schema.Struct({
    clientDataJSON: base64,
    authenticatorData: base64,
    signature: base64,
    userHandle: optional(text(0, 256))
  })
}).annotations({ identifier: "PasskeyUsed" })

/** What every answer of an example begins with. */
const exampleAnswer = {
  id: "bKXdVVmFZm2BLaVbjcQGZ2hmGbcTzMLC0JmWjnSkAVw",
  rawId: "bKXdVVmFZm2BLaVbjcQGZ2hmGbcTzMLC0JmWjnSkAVw",
  type: "public-key",
  clientExtensionResults: {}
} as const

export const AddPasskey = Schema.Struct({ name: Title, response: PasskeyMade })
  .annotations({ identifier: "AddPasskey" })
  .pipe(
    example({
      name: "Robin's laptop",
      response: {
        ...exampleAnswer,
        response: {
          clientDataJSON: "eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiYm05MGFHbHVadyJ9",
          attestationObject: "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVg",
          transports: ["internal"]
        }
      }
    })
  )
export type AddPasskey = typeof AddPasskey.Type

export const PasskeySignIn = Schema.Struct({ response: PasskeyUsed, accountHandle: optional(Handle) })
  .annotations({ identifier: "PasskeySignIn" })
  .pipe(
    example({
      response: {
        ...exampleAnswer,
        response: {
          clientDataJSON: "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiYm05MGFHbHVadyJ9",
          authenticatorData: "SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MdAAAAAQ",
          signature: "MEUCIQDxq1JqFw0xk0sQm1nq4w8Xx0a4b6tV2f1bW3m3yF6q8gIgC6"
        }
      }
    })
  )
export type PasskeySignIn = typeof PasskeySignIn.Type

const passkeyId = HttpApiSchema.param("passkeyId", numeric(PasskeyId))
const ownAlone = requiresNone("It concerns the caller alone.")

export class PasskeysGroup extends HttpApiGroup.make("passkeys")
  .add(
    HttpApiEndpoint.get("policy", "/users/auth/passkey")
      .addSuccess(PasskeyPolicy)
      .annotateContext(requiresNone("Shown before anybody is signed in."))
      .annotate(OpenApi.Summary, "Whether people can have passkeys here")
      .annotate(
        OpenApi.Description,
        "Passkeys are bound to a domain, and browsers use them over https alone: --public-url has to be such an address. `localhost` will do to try."
      )
      .annotate(OpenApi.Override, { security: [] })
  )
  .add(
    HttpApiEndpoint.post("request", "/users/auth/passkey/options")
      .addSuccess(PasskeyRequest)
      .addError(PasskeysUnavailable)
      .addError(RateLimited)
      .annotate(Traffic, "entry")
      .annotateContext(requiresNone("Anybody may ask to sign in."))
      .annotate(
        OpenApi.Summary,
        "What a browser gives its authenticator to sign in by passkey; works once within five minutes"
      )
  )
  .add(
    HttpApiEndpoint.post("signIn", "/users/auth/passkey")
      .setPayload(PasskeySignIn)
      .addSuccess(SignedIn)
      .addError(PasskeyRefused)
      .addError(PasskeysUnavailable)
      .addError(PasswordSignInOff)
      .addError(CrossSiteRequest)
      .addError(TooManyAccounts)
      .addError(HandleTaken)
      .addError(RateLimited)
      .annotate(Traffic, "entry")
      .annotateContext(requiresNone("The passkey decides."))
      .annotate(OpenApi.Summary, "Sign in with what an authenticator has signed; no password and no code are asked for")
  )
  .add(
    HttpApiEndpoint.get("list", "/users/me/passkeys")
      .addSuccess(Schema.Array(PasskeyRecord))
      .addError(Forbidden)
      .middleware(SessionOnly)
      .annotateContext(ownAlone)
      .annotate(OpenApi.Summary, "The caller's passkeys, oldest first")
  )
  .add(
    HttpApiEndpoint.post("begin", "/users/me/passkeys/options")
      .setPayload(BeginPasskey)
      .addSuccess(PasskeyCreation)
      .addError(Forbidden)
      .addError(PasswordIncorrect)
      .addError(SecondFactorRequired)
      .addError(SecondFactorIncorrect)
      .addError(PasskeysExhausted)
      .addError(PasskeysUnavailable)
      .addError(RateLimited)
      .middleware(SessionOnly)
      .annotateContext(ownAlone)
      .annotate(
        OpenApi.Summary,
        "What a browser gives its authenticator to make a passkey; works once within five minutes"
      )
      .annotate(OpenApi.Description, "Takes `code` as a sign-in does, in whose place the passkey stands.")
  )
  .add(
    HttpApiEndpoint.post("add", "/users/me/passkeys")
      .setPayload(AddPasskey)
      .addSuccess(PasskeyRecord, { status: 201 })
      .addError(Forbidden)
      .addError(PasskeyKnown)
      .addError(PasskeyRefused)
      .addError(PasskeysExhausted)
      .addError(PasskeysUnavailable)
      .middleware(SessionOnly)
      .annotateContext(ownAlone)
      .annotate(OpenApi.Summary, "Keep the passkey that an authenticator has made")
  )
  .add(
    HttpApiEndpoint.del("remove")`/users/me/passkeys/${passkeyId}`
      .addSuccess(HttpApiSchema.NoContent)
      .addError(Forbidden)
      .addError(PasskeyNotFound)
      .middleware(SessionOnly)
      .annotateContext(ownAlone)
      .annotate(OpenApi.Summary, "Forget a passkey of the caller: nobody signs in with it any more")
  )
  .annotate(OpenApi.Title, "Passkeys")
  .annotate(OpenApi.Description, "Sign-in without a password, by keys that browsers and phones hold.") {}
