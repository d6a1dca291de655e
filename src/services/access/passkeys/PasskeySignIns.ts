import { DateTime, Effect } from "effect"
import type { PasskeyRequest, PasskeySignIn } from "../../../../schema/access/Passkeys.ts"
import { challengeMinutes } from "../../../domain/access/Passkey.ts"
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
      yield* log.append({ ...place, userId: user.id, outcome: "passkey", at })
      return user
    })

    const signIn = Effect.fnUntraced(function* (asked: PasskeySignIn, visitor: Visitor) {
      return yield* accounts.welcome(yield* authenticate(asked, visitor), asked.accountHandle, visitor, false)
    })

    return { request, signIn } as const
  })
}) {}
