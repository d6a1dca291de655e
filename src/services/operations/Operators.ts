import { DateTime, Effect, Option, type Redacted } from "effect"
import type { User } from "../../domain/access/User.ts"
import { UserId } from "../../domain/Ids.ts"
import { Passwords } from "../../ports/access/Passwords.ts"
import { SecondFactorRepo } from "../../ports/access/SecondFactorRepo.ts"
import { Secrets } from "../../ports/access/Secrets.ts"
import { UserRepo } from "../../ports/access/UserRepo.ts"
import { PasswordResetLinks } from "../access/PasswordResetLinks.ts"
import { OrganizationSetup } from "../access/OrganizationSetup.ts"

/** What the person who runs the server does to its users, from the command line. */
export class Operators extends Effect.Service<Operators>()("services/operations/Operators", {
  effect: Effect.gen(function* () {
    const users = yield* UserRepo
    const passwords = yield* Passwords
    const secrets = yield* Secrets
    const studios = yield* OrganizationSetup
    const links = yield* PasswordResetLinks
    const factors = yield* SecondFactorRepo

    const create = Effect.fnUntraced(function* (email: string, name: string, passwordHash: string) {
      const id = UserId.make(yield* secrets.uuid)
      const createdAt = yield* DateTime.now
      const user: User = {
        id,
        email,
        name,
        passwordHash,
        externalReference: `usr_${id.replaceAll("-", "")}`,
        motive: "operator",
        createdAt,
        deletedAt: null
      }
      return yield* Effect.flatMap(users.insert(user), Effect.orDie)
    })

    /** Makes the person, or gives the one of that e-mail address a new password. */
    const ensurePerson = Effect.fnUntraced(function* (email: string, name: string, password: Redacted.Redacted) {
      const passwordHash = yield* passwords.hash(password)
      const found = yield* users.findByEmail(email)
      const user = Option.isSome(found)
        ? yield* users.update({ ...found.value, passwordHash })
        : yield* create(email, name, passwordHash)
      return { user, isNew: Option.isNone(found) }
    })

    /** Makes the person or gives them a new password, and an organization of their own where they are in none. */
    const ensureOwner = Effect.fnUntraced(function* (email: string, name: string, password: Redacted.Redacted) {
      const ensured = yield* ensurePerson(email, name, password)
      yield* studios.welcome(ensured.user)
      return ensured
    })

    const present = (email: string) =>
      Effect.map(
        users.findByEmail(email),
        Option.filter(({ deletedAt }) => deletedAt === null)
      )

    /** A link by which the person of that e-mail address chooses another password; none where nobody has the address. */
    const resetPassword = Effect.fnUntraced(function* (email: string) {
      return yield* Effect.transposeMapOption(yield* present(email), ({ id }) => links.make(id, null))
    })

    /** Takes away the second factor of the person of that e-mail address; whether they had one, and none where nobody has the address. */
    const removeSecondFactor = Effect.fnUntraced(function* (email: string) {
      return yield* Effect.transposeMapOption(yield* present(email), ({ id }) => factors.remove(id))
    })

    return { ensurePerson, ensureOwner, resetPassword, removeSecondFactor } as const
  })
}) {}
