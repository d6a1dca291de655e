import type { DateTime, Effect, Option } from "effect"
import { Context } from "effect"
import type { Authenticator } from "../../domain/access/SecondFactor.ts"
import type { UserId } from "../../domain/Ids.ts"

/** What people show at the sign-in beside their password. */
export class SecondFactorRepo extends Context.Tag("ports/access/SecondFactorRepo")<
  SecondFactorRepo,
  {
    readonly find: (userId: UserId) => Effect.Effect<Option.Option<Authenticator>>
    /** Stores the authenticator instead of the one that its person may have. */
    readonly put: (authenticator: Authenticator) => Effect.Effect<void>
    /** Notes that the person's sign-ins ask for a code from `at` on. */
    readonly confirm: (userId: UserId, at: DateTime.Utc) => Effect.Effect<void>
    /**
     * Notes that the code of a step was used; false where the code of that step or a later one was used before (`isUnused` of the domain). Where
     * several callers ask at the same time, only one gets true.
     */
    readonly useStep: (userId: UserId, step: number) => Effect.Effect<boolean>
    /** Stores the hashes of recovery codes instead of those that the person may have. */
    readonly putRecoveryCodes: (userId: UserId, hashes: ReadonlyArray<string>) => Effect.Effect<void>
    /** Removes a recovery code; false where the person has none of that hash. Where several callers ask at the same time, only one gets true. */
    readonly takeRecoveryCode: (userId: UserId, hash: string) => Effect.Effect<boolean>
    /** Recovery codes that the person has left. */
    readonly recoveryCodesLeft: (userId: UserId) => Effect.Effect<number>
    /** Removes the authenticator and the recovery codes; false where there was no authenticator. */
    readonly remove: (userId: UserId) => Effect.Effect<boolean>
  }
>() {}
