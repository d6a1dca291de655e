import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import type { PasswordReset } from "../../../src/domain/access/PasswordReset.ts"
import type { UserId } from "../../../src/domain/Ids.ts"
import { PasswordResetRepo } from "../../../src/ports/access/PasswordResetRepo.ts"
import { everyStore } from "../../support/Stores.ts"
import { addOrganization, addUser, instant, next } from "../../support/access/Tenants.ts"

const reset = (userId: UserId, handedOut: PasswordReset["handedOut"] = null): PasswordReset => ({
  userId,
  tokenHash: `link ${next()}`,
  handedOut,
  createdAt: instant(1),
  expiresAt: instant(2)
})

for (const [label, store] of everyStore) {
  layer(store)(`password resets in ${label}`, (it) => {
    it.effect("gives back what was put in, with who handed it out and without", () =>
      Effect.gen(function* () {
        const resets = yield* PasswordResetRepo
        const [ada, bob] = [yield* addUser(), yield* addUser()]
        const { id: organizationId } = yield* addOrganization
        for (const each of [reset(ada.id), reset(bob.id, { organizationId, by: ada.id })]) {
          yield* resets.put(each)
          assert.deepStrictEqual(yield* resets.findByTokenHash(each.tokenHash), Option.some(each))
        }
        assert.deepStrictEqual(yield* resets.findByTokenHash("nothing"), Option.none())
      })
    )

    it.effect("keeps one link of a user, the newest", () =>
      Effect.gen(function* () {
        const resets = yield* PasswordResetRepo
        const ada = yield* addUser()
        const [first, second] = [reset(ada.id), reset(ada.id)]
        yield* resets.put(first)
        yield* resets.put(second)
        assert.deepStrictEqual(yield* resets.findByTokenHash(first.tokenHash), Option.none())
        assert.deepStrictEqual(yield* resets.findByTokenHash(second.tokenHash), Option.some(second))
      })
    )

    it.effect("gives a link to one of those who take it at once", () =>
      Effect.gen(function* () {
        const resets = yield* PasswordResetRepo
        const link = reset((yield* addUser()).id)
        yield* resets.put(link)
        const taken = yield* Effect.forEach([1, 2, 3], () => resets.take(link.tokenHash), { concurrency: 3 })
        assert.deepStrictEqual(taken.flatMap(Option.toArray), [link])
        assert.deepStrictEqual(yield* resets.findByTokenHash(link.tokenHash), Option.none())
      })
    )

    it.effect("removes the link of one user alone", () =>
      Effect.gen(function* () {
        const resets = yield* PasswordResetRepo
        const [ada, bob] = [reset((yield* addUser()).id), reset((yield* addUser()).id)]
        yield* resets.put(ada)
        yield* resets.put(bob)
        yield* resets.removeOfUser(ada.userId)
        assert.deepStrictEqual(yield* resets.findByTokenHash(ada.tokenHash), Option.none())
        assert.deepStrictEqual(yield* resets.findByTokenHash(bob.tokenHash), Option.some(bob))
      })
    )
  })
}
