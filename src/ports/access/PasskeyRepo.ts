import type { DateTime, Effect, Option } from "effect"
import { Context } from "effect"
import type { NewPasskey, Passkey, PasskeyChallenge } from "../../domain/access/Passkey.ts"
import type { PasskeyId, UserId } from "../../domain/Ids.ts"

/** Passkeys of people, and what authenticators are asked to sign. */
export class PasskeyRepo extends Context.Tag("ports/access/PasskeyRepo")<
  PasskeyRepo,
  {
    /** Stores the passkey; none where an account has one of that credential. */
    readonly insert: (passkey: NewPasskey) => Effect.Effect<Option.Option<Passkey>>
    /** By id, ascending. */
    readonly listOfUser: (userId: UserId) => Effect.Effect<ReadonlyArray<Passkey>>
    readonly findByCredential: (credentialId: string) => Effect.Effect<Option.Option<Passkey>>
    /** Notes a use and what the authenticator counts now. */
    readonly noteUse: (id: PasskeyId, counter: number, at: DateTime.Utc) => Effect.Effect<void>
    /** Removes the user's passkey of that id; false where the user has none of that id. */
    readonly remove: (userId: UserId, id: PasskeyId) => Effect.Effect<boolean>
    readonly removeOfUser: (userId: UserId) => Effect.Effect<void>
    /** Stores a challenge. Those that ended before `now`, and of the others all but the newest `mostChallenges`, are forgotten. */
    readonly putChallenge: (challenge: PasskeyChallenge, now: DateTime.Utc) => Effect.Effect<void>
    /** Removes the challenge and answers it. Where several callers take it at the same time, only one gets it. It may have ended. */
    readonly takeChallenge: (hash: string) => Effect.Effect<Option.Option<PasskeyChallenge>>
  }
>() {}
