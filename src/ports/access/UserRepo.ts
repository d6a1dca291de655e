import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { User } from "../../domain/access/User.ts"
import type { UserId } from "../../domain/Ids.ts"

/** People who can sign in. */
export class UserRepo extends Context.Tag("ports/access/UserRepo")<
  UserRepo,
  {
    /** None when the e-mail address, in any case, already has an account. */
    readonly insert: (user: User) => Effect.Effect<Option.Option<User>>
    /** Overwrites the account of that id. */
    readonly update: (user: User) => Effect.Effect<User>
    readonly find: (id: UserId) => Effect.Effect<Option.Option<User>>
    /** Whether anybody has an account. */
    readonly exists: Effect.Effect<boolean>
    /** The account of the e-mail address, in any case (`emailKey`); closed ones included. */
    readonly findByEmail: (email: string) => Effect.Effect<Option.Option<User>>
  }
>() {}
