import type { Effect } from "effect"
import { Context } from "effect"
import type { SignInEvent } from "../../domain/access/SignInEvent.ts"
import type { UserId } from "../../domain/Ids.ts"

/** Who tried to get into which account. */
export class SignInLog extends Context.Tag("ports/access/SignInLog")<
  SignInLog,
  {
    /** Appends the attempt; of each account the newest `keptSignIns` stay. */
    readonly append: (event: SignInEvent) => Effect.Effect<void>
    /** The attempts at the account, newest first. */
    readonly listOfUser: (userId: UserId) => Effect.Effect<ReadonlyArray<SignInEvent>>
  }
>() {}
