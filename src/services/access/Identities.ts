import { Effect, Option } from "effect"
import { Forbidden } from "../../../schema/access/AccessErrors.ts"
import { Principal } from "../../../schema/access/Auth.ts"
import type { IdentityList } from "../../../schema/access/OpenId.ts"
import { IdentityNeeded, IdentityNotFound } from "../../../schema/access/OpenIdErrors.ts"
import { userOf } from "../../domain/access/Principal.ts"
import { hasPassword } from "../../domain/access/User.ts"
import type { IdentityId } from "../../domain/Ids.ts"
import { IdentityRepo } from "../../ports/access/IdentityRepo.ts"
import { UserRepo } from "../../ports/access/UserRepo.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"

/** Identities at providers that the caller's account is linked to. */
export class Identities extends Effect.Service<Identities>()("services/access/Identities", {
  effect: Effect.gen(function* () {
    const identities = yield* IdentityRepo
    const transaction = yield* Transaction
    const users = yield* UserRepo

    const caller = Effect.gen(function* () {
      const person = userOf(yield* Principal)
      const user = person === null ? Option.none() : yield* users.find(person.id)
      return yield* Effect.mapError(user, () => new Forbidden({ message: "Only a person has identities" }))
    })

    const list = Effect.fnUntraced(function* () {
      const user = yield* caller
      const all = yield* identities.listOfUser(user.id)
      return {
        identities: all.map(({ userId: _, ...each }) => each),
        hasPassword: hasPassword(user)
      } satisfies IdentityList
    })

    const unlink = Effect.fnUntraced(
      function* (id: IdentityId) {
        const user = yield* caller
        const removed = yield* identities.remove(user.id, id)
        if (Option.isNone(removed)) {
          return yield* Effect.fail(new IdentityNotFound({ message: `Your account is linked to no identity ${id}` }))
        }
        if (!hasPassword(user)) {
          const message = "Your account has no password: choose one by a link first, so that you can still sign in"
          return yield* Effect.fail(new IdentityNeeded({ message }))
        }
      },
      (effect) => transaction.run(effect)
    )

    return { list, unlink } as const
  })
}) {}
