import { Effect, Either, Encoding, Layer, Option, Schema } from "effect"
import { transports } from "../../domain/access/Passkey.ts"
import { Authenticators, type ExpectedPlace, type MakingAnswer } from "../../ports/access/Authenticators.ts"

/** Kept by the build in a part of its own, which is loaded with the first passkey. */
const library = Effect.promise(() => import("@simplewebauthn/server"))
const helpers = Effect.promise(() => import("@simplewebauthn/server/helpers"))

const ClientData = Schema.parseJson(Schema.Struct({ challenge: Schema.String }))

const isTransport = Schema.is(Schema.Literal(...transports))

const answerOf = <Response>({ id, rawId, type }: Omit<MakingAnswer, "response">, response: Response) => ({
  id,
  rawId,
  type,
  response,
  clientExtensionResults: {}
})

const expected = ({ origin, domain, challenge }: ExpectedPlace) => ({
  expectedChallenge: challenge,
  expectedOrigin: origin,
  expectedRPID: domain,
  requireUserVerification: true
})

/**
 * An attestation (base64url of CBOR) without what the authenticator says of itself, for which nobody has asked. The library would check the
 * certificates in it, and load lists of revoked ones from wherever these say, without end: a person who makes them up would have this server
 * ask what only it can reach, or read until its memory is full.
 */
const unattested = (
  { decodeAttestationObject, isoBase64URL, isoCBOR }: Effect.Effect.Success<typeof helpers>,
  attestationObject: string
): string => {
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get("authData")
  const none = new Map<string, Parameters<typeof isoCBOR.encode>[0]>([
    ["fmt", "none"],
    ["attStmt", new Map()],
    ["authData", authData]
  ])
  return isoBase64URL.fromBuffer(isoCBOR.encode(none))
}

/** Checks by the library of SimpleWebAuthn, which fails where an answer does not hold. */
export const AuthenticatorsNode = Layer.succeed(Authenticators, {
  challengeOf: (clientDataJson) =>
    Encoding.decodeBase64UrlString(clientDataJson).pipe(
      Either.flatMap(Schema.decodeUnknownEither(ClientData)),
      Either.map(({ challenge }) => challenge),
      Either.getRight
    ),
  made: ({ response: { clientDataJSON, attestationObject, transports: told = [] }, ...answer }, place) =>
    Effect.gen(function* () {
      const { verifyRegistrationResponse } = yield* library
      const ofLibrary = yield* helpers
      const verified = yield* Effect.tryPromise(() =>
        verifyRegistrationResponse({
          response: answerOf(answer, {
            clientDataJSON,
            attestationObject: unattested(ofLibrary, attestationObject)
          }),
          ...expected(place)
        })
      )
      if (!verified.verified) return Option.none()
      const { id, publicKey, counter } = verified.registrationInfo.credential
      return Option.some({ credentialId: id, publicKey, counter, transports: told.filter((each) => isTransport(each)) })
    }).pipe(Effect.catchTag("UnknownException", () => Effect.succeedNone)),
  used: ({ response: { clientDataJSON, authenticatorData, signature }, ...answer }, passkey, place) =>
    Effect.gen(function* () {
      const { verifyAuthenticationResponse } = yield* library
      const verified = yield* Effect.tryPromise(() =>
        verifyAuthenticationResponse({
          response: answerOf(answer, { clientDataJSON, authenticatorData, signature }),
          ...expected(place),
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
