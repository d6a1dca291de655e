import { Effect, Option, Redacted } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import { Forbidden, PasswordIncorrect } from "../../../schema/access/AccessErrors.ts"
import { userOf } from "../../domain/access/Principal.ts"
import { guessedAccount, guessedFrom } from "../../domain/access/RateLimit.ts"
import { emailKey, hasPassword } from "../../domain/access/User.ts"
import { UserRepo } from "../../ports/access/UserRepo.ts"
import { PasswordCheck } from "./passwords/PasswordCheck.ts"
import type { Cookie } from "./Sessions.ts"
import { Sessions } from "./Sessions.ts"

/** The account of whoever asks. */
export class OwnAccount extends Effect.Service<OwnAccount>()("services/access/OwnAccount", {
  effect: Effect.gen(function* () {
    const check = yield* PasswordCheck
    const sessions = yield* Sessions
    const users = yield* UserRepo

    const caller = Effect.gen(function* () {
      const person = userOf(yield* Principal)
      const user = person === null ? Option.none() : yield* users.find(person.id)
      return yield* Option.match(user, {
        onNone: () => Effect.fail(new Forbidden({ message: "Only a person has an account: sign in" })),
        onSome: Effect.succeed
      })
    })

    /** Refuses who was signed out since the request was let in. Run it in the transaction of what outlives a session. */
    const demandSignedIn = Effect.gen(function* () {
      if (yield* sessions.isLetIn(yield* Principal)) return
      return yield* Effect.fail(new Forbidden({ message: "Your session has ended meanwhile: sign in again" }))
    })

    const incorrect = new PasswordIncorrect({ message: "currentPassword: this is not your password" })

    /** The caller, who has typed the password of the account: a session that somebody else has got hold of is not enough. */
    const withPassword = Effect.fnUntraced(function* (currentPassword: string, cookie: Cookie) {
      const user = yield* caller
      const browser = yield* sessions.find(cookie)
      const name = emailKey(user.email)
      const guesser = Option.match(browser, {
        onNone: () => guessedAccount(name),
        onSome: ({ id }) => guessedFrom(name, id)
      })
      const hash = hasPassword(user) ? user.passwordHash : undefined
      const isRight = yield* check.verify(Redacted.make(currentPassword), hash, guesser)
      return isRight ? user : yield* Effect.fail(incorrect)
    })

    return { caller, demandSignedIn, withPassword, incorrect } as const
  })
}) {}
