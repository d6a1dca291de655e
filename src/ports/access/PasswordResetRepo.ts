import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { PasswordReset } from "../../domain/access/PasswordReset.ts"
import type { UserId } from "../../domain/Ids.ts"

/** Links by which people give themselves another password. */
export class PasswordResetRepo extends Context.Tag("ports/access/PasswordResetRepo")<
  PasswordResetRepo,
  {
    /** Stores the link instead of the one that the user may have. */
    readonly put: (reset: PasswordReset) => Effect.Effect<void>
    /** The link of that token, whether or not it has ended. */
    readonly findByTokenHash: (tokenHash: string) => Effect.Effect<Option.Option<PasswordReset>>
    /** Removes the link and answers it. Where several callers take it at the same time, only one gets it. */
    readonly take: (tokenHash: string) => Effect.Effect<Option.Option<PasswordReset>>
    readonly removeOfUser: (userId: UserId) => Effect.Effect<void>
  }
>() {}
