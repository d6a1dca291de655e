import { Effect, Either, Encoding, Layer, Option, Schema } from "effect"
import { type Transport, transports } from "../../domain/access/Passkey.ts"
import { Authenticators } from "../../ports/access/Authenticators.ts"

/** Kept by the build in a part of its own, which is loaded with the first passkey. */
const library = Effect.promise(() => import("@simplewebauthn/server"))

const ClientData = Schema.parseJson(Schema.Struct({ challenge: Schema.String }))

const isTransport = Schema.is(Schema.Literal(...transports))

const Extensions = Schema.Record({ key: Schema.String, value: Schema.Unknown })

const common = {
  id: Schema.String,
  rawId: Schema.String,
  type: Schema.Literal("public-key"),
  clientExtensionResults: Extensions
}

const isRegistration = Schema.is(
  Schema.Struct({
    ...common,
    response: Schema.Struct({ clientDataJSON: Schema.String, attestationObject: Schema.String })
  })
)

const isAuthentication = Schema.is(
  Schema.Struct({
    ...common,
    response: Schema.Struct({
      clientDataJSON: Schema.String,
      authenticatorData: Schema.String,
      signature: Schema.String
    })
  })
)

const transportsIn = (response: unknown): ReadonlyArray<Transport> => {
  const found = Schema.decodeUnknownOption(
    Schema.Struct({ response: Schema.Struct({ transports: Schema.Array(Schema.String) }) })
  )(response)
  return Option.match(found, {
    onNone: () => [],
    onSome: (answer) => answer.response.transports.filter((each) => isTransport(each))
  })
}

/** Checks by the library of SimpleWebAuthn, which fails where an answer does not hold. */
export const AuthenticatorsNode = Layer.succeed(Authenticators, {
  challengeOf: (clientDataJson) =>
    Encoding.decodeBase64UrlString(clientDataJson).pipe(
      Either.flatMap(Schema.decodeUnknownEither(ClientData)),
      Either.map(({ challenge }) => challenge),
      Either.getRight
    ),
  made: (response, { origin, domain, challenge }) =>
    Effect.gen(function* () {
      if (!isRegistration(response)) return Option.none()
      const { verifyRegistrationResponse } = yield* library
      const verified = yield* Effect.tryPromise(() =>
        verifyRegistrationResponse({
          response,
          expectedChallenge: challenge,
          expectedOrigin: origin,
          expectedRPID: domain,
          requireUserVerification: true
        })
      )
      if (!verified.verified) return Option.none()
      const { id, publicKey, counter } = verified.registrationInfo.credential
      return Option.some({ credentialId: id, publicKey, counter, transports: transportsIn(response) })
    }).pipe(Effect.catchTag("UnknownException", () => Effect.succeedNone)),
  used: (response, passkey, { origin, domain, challenge }) =>
    Effect.gen(function* () {
      if (!isAuthentication(response)) return Option.none()
      const { verifyAuthenticationResponse } = yield* library
      const verified = yield* Effect.tryPromise(() =>
        verifyAuthenticationResponse({
          response,
          expectedChallenge: challenge,
          expectedOrigin: origin,
          expectedRPID: domain,
          requireUserVerification: true,
          credential: {
            id: passkey.credentialId,
            publicKey: new Uint8Array(passkey.publicKey),
            counter: passkey.counter
          }
        })
      )
      return verified.verified ? Option.some(verified.authenticationInfo.newCounter) : Option.none()
    }).pipe(Effect.catchTag("UnknownException", () => Effect.succeedNone))
})
