import { Effect, Redacted } from "effect"
import { PasswordTooWeak } from "../../../../schema/access/AccessErrors.ts"
import { wordsAbout } from "../../../domain/access/PasswordStrength.ts"
import { Passwords } from "../../../ports/access/Passwords.ts"
import { PasswordStrength } from "../../../ports/access/PasswordStrength.ts"
import { Settings } from "../../../ports/operations/Settings.ts"

/** Whose password it is. */
interface Person {
  readonly email: string
  readonly name: string
}

/** Passwords that people choose. */
export class NewPasswords extends Effect.Service<NewPasswords>()("services/access/NewPasswords", {
  effect: Effect.gen(function* () {
    const { passwordStrength } = yield* Settings
    const passwords = yield* Passwords
    const strength = yield* PasswordStrength

    /** Refuses what is easier to guess than the server allows. `field` names where the password stands in the request. */
    const demandStrong = Effect.fnUntraced(function* (field: string, password: Redacted.Redacted, person: Person) {
      if (passwordStrength === 0) return
      const { score, advice } = yield* strength.estimate(password, wordsAbout(person.email, person.name))
      if (score >= passwordStrength) return
      const message = `${field}: this password is too easy to guess. ${advice}`.trimEnd()
      return yield* Effect.fail(new PasswordTooWeak({ message }))
    })

    /** The hash of a password that is hard enough to guess. */
    const hash = Effect.fnUntraced(function* (field: string, chosen: string, person: Person) {
      const password = Redacted.make(chosen)
      yield* demandStrong(field, password, person)
      return yield* passwords.hash(password)
    })

    return { demandStrong, hash } as const
  })
}) {}
