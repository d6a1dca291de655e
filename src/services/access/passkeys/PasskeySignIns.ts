import { DateTime, Effect, Option } from "effect"
import type { PasskeyRequest, PasskeySignIn } from "../../../../schema/access/Passkeys.ts"
import { challengeMinutes, type Passkey } from "../../../domain/access/Passkey.ts"
import { Authenticators } from "../../../ports/access/Authenticators.ts"
import { PasskeyRepo } from "../../../ports/access/PasskeyRepo.ts"
import { SignInLog } from "../../../ports/access/SignInLog.ts"
import { UserRepo } from "../../../ports/access/UserRepo.ts"
import { Accounts, type Visitor } from "../Accounts.ts"
import { ServerOwners } from "../ServerOwners.ts"
import { passkeyRefused, Passkeys } from "./Passkeys.ts"

/** Sign-in by what an authenticator signs. It has seen a finger, a face or a PIN, so that no code is asked for beside. */
export class PasskeySignIns extends Effect.Service<PasskeySignIns>()("services/access/passkeys/PasskeySignIns", {
  effect: Effect.gen(function* () {
    const accounts = yield* Accounts
    const authenticators = yield* Authenticators
    const passkeys = yield* Passkeys
    const repo = yield* PasskeyRepo
    const log = yield* SignInLog
    const owners = yield* ServerOwners
    const users = yield* UserRepo

    const request = Effect.gen(function* () {
      const rpId = yield* passkeys.demandDomain
      return {
        challenge: yield* passkeys.challengeFor(null),
        rpId,
        timeout: challengeMinutes * 60_000,
        userVerification: "required"
      } satisfies PasskeyRequest
    })

    /** The person of the passkey that has signed. */
    const authenticate = Effect.fnUntraced(function* ({ response }: PasskeySignIn, { cookie: _, ...place }: Visitor) {
      const expected = yield* passkeys.placeOf(response.response.clientDataJSON, null)
      const passkey = yield* Effect.flatMap(
        repo.findByCredential(response.id),
        Effect.mapError(() => passkeyRefused)
      )
      const counter = yield* Effect.flatMap(
        authenticators.used(response, passkey, expected),
        Effect.mapError(() => passkeyRefused)
      )
      const user = yield* Effect.flatMap(users.find(passkey.userId), Effect.orDie)
      if (user.deletedAt !== null) return yield* Effect.fail(passkeyRefused)
      yield* owners.demandOwnWays(user.email)
      const at = yield* DateTime.now
      yield* repo.noteUse(passkey.id, counter, at)
      return { user, passkey, attempt: { ...place, userId: user.id, outcome: "passkey" as const, at } }
    })

    /** Refuses a passkey that was taken away, as a reset of the password does, or whose account was closed, since it was found. */
    const demandSame = Effect.fnUntraced(function* ({ id, credentialId, userId }: Passkey) {
      const isThere = Option.exists(yield* repo.findByCredential(credentialId), (present) => present.id === id)
      const isOpen = Option.exists(yield* users.find(userId), ({ deletedAt }) => deletedAt === null)
      if (!isThere || !isOpen) return yield* Effect.fail(passkeyRefused)
    })

    const signIn = Effect.fnUntraced(function* (asked: PasskeySignIn, visitor: Visitor) {
      const { user, passkey, attempt } = yield* authenticate(asked, visitor)
      const entered = accounts.welcome(user, asked.accountHandle, visitor, false, demandSame(passkey))
      return yield* Effect.tapBoth(entered, {
        onSuccess: () => log.append(attempt),
        // Who was let in, and could not be kept in this browser, has shown the passkey nevertheless.
        onFailure: ({ _tag }) => (_tag === passkeyRefused._tag ? Effect.void : log.append(attempt))
      })
    })

    return { request, signIn } as const
  })
}) {}
