import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { mostChallenges, type NewPasskey } from "../../../src/domain/access/Passkey.ts"
import type { UserId } from "../../../src/domain/Ids.ts"
import { PasskeyRepo } from "../../../src/ports/access/PasskeyRepo.ts"
import { everyStore } from "../../support/Stores.ts"
import { addUser, instant, next } from "../../support/access/Tenants.ts"

const passkey = (userId: UserId, changed: Partial<NewPasskey> = {}): NewPasskey => ({
  userId,
  credentialId: `credential ${next()}`,
  publicKey: new Uint8Array([1, 0, 255]),
  counter: 0,
  transports: ["internal", "hybrid"],
  name: "My laptop",
  createdAt: instant(1),
  lastUsedAt: null,
  ...changed
})

for (const [label, store] of everyStore) {
  layer(store)(`passkeys in ${label}`, (it) => {
    it.effect("gives back what was put in, by person and by credential, with its last use", () =>
      Effect.gen(function* () {
        const passkeys = yield* PasskeyRepo
        const [ada, bob] = [yield* addUser(), yield* addUser()]
        const first = Option.getOrThrow(yield* passkeys.insert(passkey(ada.id)))
        const second = Option.getOrThrow(yield* passkeys.insert(passkey(ada.id, { transports: [], name: "Phone" })))
        const other = Option.getOrThrow(yield* passkeys.insert(passkey(bob.id)))
        assert.isTrue(Option.isNone(yield* passkeys.insert(passkey(bob.id, { credentialId: first.credentialId }))))
        yield* passkeys.noteUse(second.id, 4_000_000_000, instant(5))
        const used = { ...second, counter: 4_000_000_000, lastUsedAt: instant(5) }
        assert.deepStrictEqual(yield* passkeys.listOfUser(ada.id), [first, used])
        assert.deepStrictEqual(yield* passkeys.findByCredential(other.credentialId), Option.some(other))
        assert.deepStrictEqual(yield* passkeys.findByCredential("nothing"), Option.none())
      })
    )

    it.effect("removes one of the person, or all of them, and nobody else's", () =>
      Effect.gen(function* () {
        const passkeys = yield* PasskeyRepo
        const [ada, bob] = [yield* addUser(), yield* addUser()]
        const [first, second] = [passkey(ada.id), passkey(ada.id)]
        const { id } = Option.getOrThrow(yield* passkeys.insert(first))
        yield* passkeys.insert(second)
        yield* passkeys.insert(passkey(bob.id))
        assert.isFalse(yield* passkeys.remove(bob.id, id))
        assert.isTrue(yield* passkeys.remove(ada.id, id))
        assert.isFalse(yield* passkeys.remove(ada.id, id))
        assert.lengthOf(yield* passkeys.listOfUser(ada.id), 1)
        yield* passkeys.removeOfUser(ada.id)
        assert.lengthOf(yield* passkeys.listOfUser(ada.id), 0)
        assert.lengthOf(yield* passkeys.listOfUser(bob.id), 1)
      })
    )

    it.effect("gives a challenge to one of those who take it at once, and forgets those that have ended", () =>
      Effect.gen(function* () {
        const passkeys = yield* PasskeyRepo
        const ada = yield* addUser()
        const [own, anybodys, over] = [`own ${next()}`, `anybody's ${next()}`, `over ${next()}`]
        yield* passkeys.putChallenge({ hash: over, userId: null, expiresAt: instant(1) }, instant(0))
        yield* passkeys.putChallenge({ hash: own, userId: ada.id, expiresAt: instant(9) }, instant(0))
        yield* passkeys.putChallenge({ hash: anybodys, userId: null, expiresAt: instant(9) }, instant(2))
        assert.isTrue(Option.isNone(yield* passkeys.takeChallenge(over)))
        const taken = yield* Effect.forEach([1, 2, 3], () => passkeys.takeChallenge(own), { concurrency: 3 })
        assert.deepStrictEqual(taken.flatMap(Option.toArray), [{ hash: own, userId: ada.id, expiresAt: instant(9) }])
        assert.isTrue(Option.isSome(yield* passkeys.takeChallenge(anybodys)))
      })
    )

    it.effect("forgets the oldest challenges past so many", () =>
      Effect.gen(function* () {
        const passkeys = yield* PasskeyRepo
        for (let each = 0; each <= mostChallenges; each++) {
          yield* passkeys.putChallenge(
            { hash: `many ${each}`, userId: null, expiresAt: instant(100 + each) },
            instant(50)
          )
        }
        assert.isTrue(Option.isNone(yield* passkeys.takeChallenge("many 0")))
        for (const each of [1, mostChallenges]) {
          assert.isTrue(Option.isSome(yield* passkeys.takeChallenge(`many ${each}`)))
        }
      })
    )
  })
}
