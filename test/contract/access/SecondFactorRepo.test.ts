import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { type Authenticator, mostStepsAhead } from "../../../src/domain/access/SecondFactor.ts"
import type { UserId } from "../../../src/domain/Ids.ts"
import { SecondFactorRepo } from "../../../src/ports/access/SecondFactorRepo.ts"
import { everyStore } from "../../support/Stores.ts"
import { addUser, instant } from "../../support/access/Tenants.ts"

const authenticator = (userId: UserId, changed: Partial<Authenticator> = {}): Authenticator => ({
  userId,
  secret: "JBSWY3DPEHPK3PXP",
  createdAt: instant(1),
  confirmedAt: null,
  lastStep: 0,
  ...changed
})

for (const [label, store] of everyStore) {
  layer(store)(`second factors in ${label}`, (it) => {
    it.effect("keeps one authenticator of a person, the newest, and since when it is asked for", () =>
      Effect.gen(function* () {
        const factors = yield* SecondFactorRepo
        const [ada, bob] = [yield* addUser(), yield* addUser()]
        assert.deepStrictEqual(yield* factors.find(ada.id), Option.none())
        yield* factors.put(authenticator(ada.id))
        yield* factors.put(authenticator(bob.id, { confirmedAt: instant(3), lastStep: 59_000_000_000 }))
        yield* factors.put(authenticator(ada.id, { secret: "GEZDGNBVGY3TQOJQ" }))
        yield* factors.confirm(ada.id, instant(2))
        assert.deepStrictEqual(
          yield* factors.find(ada.id),
          Option.some(authenticator(ada.id, { secret: "GEZDGNBVGY3TQOJQ", confirmedAt: instant(2) }))
        )
        assert.deepStrictEqual(
          yield* factors.find(bob.id),
          Option.some(authenticator(bob.id, { confirmedAt: instant(3), lastStep: 59_000_000_000 }))
        )
      })
    )

    it.effect("takes a step once, also of those who ask at once, and none before it", () =>
      Effect.gen(function* () {
        const factors = yield* SecondFactorRepo
        const [ada, bob] = [yield* addUser(), yield* addUser()]
        for (const { id } of [ada, bob]) yield* factors.put(authenticator(id))
        const taken = yield* Effect.forEach([1, 2, 3], () => factors.useStep(ada.id, 7), { concurrency: 3 })
        assert.deepStrictEqual(taken.toSorted(), [false, false, true])
        assert.isFalse(yield* factors.useStep(ada.id, 6))
        assert.isTrue(yield* factors.useStep(ada.id, 8))
        assert.isTrue(yield* factors.useStep(bob.id, 7))
        assert.isFalse(yield* factors.useStep((yield* addUser()).id, 7))
      })
    )

    it.effect(
      "takes steps again that lie far before the last one, as after a clock that was ahead and has been set back",
      () =>
        Effect.gen(function* () {
          const factors = yield* SecondFactorRepo
          const ada = yield* addUser()
          yield* factors.put(authenticator(ada.id, { lastStep: 59_000_000 }))
          assert.isFalse(yield* factors.useStep(ada.id, 59_000_000 - mostStepsAhead))
          const taken = yield* Effect.forEach([1, 2, 3], () => factors.useStep(ada.id, 58_000_000), { concurrency: 3 })
          assert.deepStrictEqual(taken.toSorted(), [false, false, true])
          assert.isFalse(yield* factors.useStep(ada.id, 57_999_999))
          assert.isTrue(yield* factors.useStep(ada.id, 58_000_001))
        })
    )

    it.effect("gives a recovery code to one of those who take it at once, and to its person alone", () =>
      Effect.gen(function* () {
        const factors = yield* SecondFactorRepo
        const [ada, bob] = [yield* addUser(), yield* addUser()]
        yield* factors.putRecoveryCodes(ada.id, ["old"])
        yield* factors.putRecoveryCodes(ada.id, ["one", "two"])
        yield* factors.putRecoveryCodes(bob.id, ["one"])
        assert.isFalse(yield* factors.takeRecoveryCode(ada.id, "old"))
        const taken = yield* Effect.forEach([1, 2, 3], () => factors.takeRecoveryCode(ada.id, "one"), {
          concurrency: 3
        })
        assert.deepStrictEqual(taken.toSorted(), [false, false, true])
        assert.strictEqual(yield* factors.recoveryCodesLeft(ada.id), 1)
        assert.strictEqual(yield* factors.recoveryCodesLeft(bob.id), 1)
        yield* factors.putRecoveryCodes(ada.id, [])
        assert.strictEqual(yield* factors.recoveryCodesLeft(ada.id), 0)
      })
    )

    it.effect("removes everything of one person", () =>
      Effect.gen(function* () {
        const factors = yield* SecondFactorRepo
        const [ada, bob] = [yield* addUser(), yield* addUser()]
        for (const { id } of [ada, bob]) {
          yield* factors.put(authenticator(id))
          yield* factors.putRecoveryCodes(id, ["one"])
        }
        assert.isTrue(yield* factors.remove(ada.id))
        assert.isFalse(yield* factors.remove(ada.id))
        assert.deepStrictEqual(yield* factors.find(ada.id), Option.none())
        assert.strictEqual(yield* factors.recoveryCodesLeft(ada.id), 0)
        assert.isTrue(Option.isSome(yield* factors.find(bob.id)))
        assert.strictEqual(yield* factors.recoveryCodesLeft(bob.id), 1)
      })
    )
  })
}
