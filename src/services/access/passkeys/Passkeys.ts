import { DateTime, Effect, Encoding, Option, Redacted } from "effect"
import {
  PasskeyKnown,
  PasskeyNotFound,
  PasskeyRefused,
  PasskeysExhausted,
  PasskeysUnavailable
} from "../../../../schema/access/PasskeyErrors.ts"
import type {
  AddPasskey,
  BeginPasskey,
  PasskeyCreation,
  PasskeyPolicy,
  PasskeyRecord
} from "../../../../schema/access/Passkeys.ts"
import { challengeMinutes, mostPasskeys, type Passkey, passkeyDomain } from "../../../domain/access/Passkey.ts"
import type { PasskeyId, UserId } from "../../../domain/Ids.ts"
import { Authenticators, type ExpectedPlace } from "../../../ports/access/Authenticators.ts"
import { PasskeyRepo } from "../../../ports/access/PasskeyRepo.ts"
import { Secrets } from "../../../ports/access/Secrets.ts"
import { Settings } from "../../../ports/operations/Settings.ts"
import { Transaction } from "../../../ports/operations/Transaction.ts"
import { OwnAccount } from "../OwnAccount.ts"
import { SecondFactorCheck } from "../SecondFactorCheck.ts"
import type { Cookie } from "../Sessions.ts"

const unavailable = new PasskeysUnavailable({
  message: "Passkeys are bound to a domain, over https: the operator of this server sets its address by --public-url"
})

export const passkeyRefused = new PasskeyRefused({
  message: "This passkey opens no account here, or the sign-in took longer than five minutes: begin again"
})

const challengeBytes = 32

/** Algorithms of keys, by their numbers at IANA, the best liked first: EdDSA, ES256, RS256. */
const algorithms = [-8, -7, -257]

const recordOf = ({ id, name, createdAt, lastUsedAt }: Passkey): PasskeyRecord => ({ id, name, createdAt, lastUsedAt })

/** The passkeys of the caller, and what authenticators are asked to sign. */
export class Passkeys extends Effect.Service<Passkeys>()("services/access/passkeys/Passkeys", {
  effect: Effect.gen(function* () {
    const { publicUrl } = yield* Settings
    const authenticators = yield* Authenticators
    const repo = yield* PasskeyRepo
    const own = yield* OwnAccount
    const factors = yield* SecondFactorCheck
    const secrets = yield* Secrets
    const transaction = yield* Transaction
    const domain = passkeyDomain(publicUrl)
    const demandDomain = domain === null ? Effect.fail(unavailable) : Effect.succeed(domain)
    const policy: PasskeyPolicy = { available: domain !== null }

    const hashOf = (challenge: string): string => secrets.hash(Redacted.make(challenge))

    /** Something to sign, for a new passkey of the user, or for a sign-in of anybody. */
    const challengeFor = Effect.fnUntraced(function* (userId: UserId | null) {
      const challenge = Encoding.encodeBase64Url(yield* secrets.bytes(challengeBytes))
      const now = yield* DateTime.now
      const expiresAt = DateTime.add(now, { minutes: challengeMinutes })
      yield* repo.putChallenge({ hash: hashOf(challenge), userId, expiresAt }, now)
      return challenge
    })

    /** What the answer must hold for, where its challenge is one of ours for the user and was not answered yet. */
    const placeOf = Effect.fnUntraced(function* (clientDataJson: string, userId: UserId | null) {
      const found = yield* demandDomain
      const challenge = authenticators.challengeOf(clientDataJson)
      if (Option.isNone(challenge)) return yield* Effect.fail(passkeyRefused)
      const taken = yield* repo.takeChallenge(hashOf(challenge.value))
      const now = yield* DateTime.now
      const isOpen = Option.exists(taken, (each) => each.userId === userId && DateTime.greaterThan(each.expiresAt, now))
      if (!isOpen) return yield* Effect.fail(passkeyRefused)
      const { origin } = new URL(publicUrl)
      return { origin, domain: found, challenge: challenge.value } satisfies ExpectedPlace
    })

    const demandRoom = (present: ReadonlyArray<Passkey>) =>
      present.length < mostPasskeys
        ? Effect.void
        : Effect.fail(
            new PasskeysExhausted({ message: `An account has at most ${mostPasskeys} passkeys: remove one first` })
          )

    const list = Effect.fnUntraced(function* () {
      const { id } = yield* own.caller
      return (yield* repo.listOfUser(id)).map(recordOf) satisfies ReadonlyArray<PasskeyRecord>
    })

    /** A sign-in with a passkey asks for no code, so that whoever adds one shows all that their sign-ins ask for: otherwise it would stand in for the code. */
    const begin = Effect.fnUntraced(function* ({ currentPassword, code }: BeginPasskey, cookie: Cookie) {
      const rpId = yield* demandDomain
      const { id, email, name } = yield* own.withPassword(currentPassword, cookie)
      const present = yield* repo.listOfUser(id)
      yield* demandRoom(present)
      yield* factors.demandAtSignIn(id, code)
      return {
        challenge: yield* challengeFor(id),
        rp: { id: rpId, name: "Gamekeeper" },
        user: { id: Encoding.encodeBase64Url(id), name: email, displayName: name },
        pubKeyCredParams: algorithms.map((alg) => ({ alg, type: "public-key" as const })),
        timeout: challengeMinutes * 60_000,
        excludeCredentials: present.map(({ credentialId, transports }) => ({
          id: credentialId,
          type: "public-key" as const,
          transports
        })),
        authenticatorSelection: {
          residentKey: "required",
          requireResidentKey: true,
          userVerification: "required"
        },
        attestation: "none"
      } satisfies PasskeyCreation
    })

    const add = Effect.fnUntraced(function* ({ name, response }: AddPasskey) {
      const { id: userId } = yield* own.caller
      const place = yield* placeOf(response.response.clientDataJSON, userId)
      const made = yield* authenticators.made(response, place)
      if (Option.isNone(made)) return yield* Effect.fail(passkeyRefused)
      const passkey = { ...made.value, userId, name, createdAt: yield* DateTime.now, lastUsedAt: null }
      const room = Effect.flatMap(repo.listOfUser(userId), demandRoom)
      const still = Effect.zipRight(own.demandSignedIn, room)
      const added = yield* transaction.run(Effect.zipRight(still, repo.insert(passkey)))
      if (Option.isSome(added)) return recordOf(added.value)
      return yield* Effect.fail(new PasskeyKnown({ message: "An account has this passkey already" }))
    })

    const remove = Effect.fnUntraced(function* (passkeyId: PasskeyId) {
      const { id } = yield* own.caller
      if (yield* repo.remove(id, passkeyId)) return
      return yield* Effect.fail(new PasskeyNotFound({ message: `You have no passkey ${passkeyId}` }))
    })

    return { policy, demandDomain, challengeFor, placeOf, list, begin, add, remove } as const
  })
}) {}
