import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { UserRepo } from "../../../src/ports/access/UserRepo.ts"
import { everyStore } from "../../support/Stores.ts"
import { addUser, anyText, instant, newUser, newUserId, next } from "../../support/access/Tenants.ts"

for (const [label, store] of everyStore) {
  layer(store)(`users in ${label}`, (it) => {
    it.effect("knows whether anybody has an account", () =>
      Effect.gen(function* () {
        const users = yield* UserRepo
        assert.isFalse(yield* users.exists)
        yield* addUser()
        assert.isTrue(yield* users.exists)
      })
    )

    it.effect("gives back what was put in, to the millisecond and the last character", () =>
      Effect.gen(function* () {
        const users = yield* UserRepo
        const user = newUser({ motive: anyText, createdAt: instant(123), deletedAt: instant(456) })
        assert.deepStrictEqual(yield* users.insert(user), Option.some(user))
        assert.deepStrictEqual(yield* users.find(user.id), Option.some(user))
        assert.deepStrictEqual(yield* users.findByEmail(user.email), Option.some(user))
      })
    )

    it.effect("finds an address in any case", () =>
      Effect.gen(function* () {
        const users = yield* UserRepo
        const user = yield* addUser({ email: `Éva.${next()}@STUDIO.test` })
        assert.deepStrictEqual(yield* users.findByEmail(user.email.toUpperCase()), Option.some(user))
        assert.deepStrictEqual(yield* users.findByEmail(` ${user.email.toLowerCase()} `), Option.some(user))
      })
    )

    it.effect("finds nobody by what is not there", () =>
      Effect.gen(function* () {
        const users = yield* UserRepo
        assert.deepStrictEqual(yield* users.find(newUserId()), Option.none())
        assert.deepStrictEqual(yield* users.findByEmail("nobody@studio.test"), Option.none())
        assert.deepStrictEqual(yield* users.findByEmail("%"), Option.none())
        assert.deepStrictEqual(yield* users.findByEmail("' or 1 = 1 --"), Option.none())
      })
    )

    it.effect("refuses a second account of an address in any case and keeps the first", () =>
      Effect.gen(function* () {
        const users = yield* UserRepo
        const user = yield* addUser()
        const second = newUser({ email: user.email.toUpperCase() })
        assert.deepStrictEqual(yield* users.insert(second), Option.none())
        assert.deepStrictEqual(yield* users.findByEmail(user.email), Option.some(user))
        assert.deepStrictEqual(yield* users.find(second.id), Option.none())
      })
    )

    it.effect("lets one of many sign-ups of an address at the same time win", () =>
      Effect.gen(function* () {
        const users = yield* UserRepo
        const email = `rush.${next()}@studio.test`
        const attempts = Array.from({ length: 20 }, () => newUser({ email }))
        const inserted = yield* Effect.forEach(attempts, users.insert, { concurrency: "unbounded" })
        const winners = inserted.flatMap(Option.toArray)
        assert.strictEqual(winners.length, 1)
        assert.deepStrictEqual(yield* users.findByEmail(email), Option.fromNullable(winners[0]))
      })
    )

    it.effect("changes the one user and no other", () =>
      Effect.gen(function* () {
        const users = yield* UserRepo
        const user = yield* addUser()
        const other = yield* addUser()
        const changed = { ...user, email: `new.${user.email}`, name: "Ada", passwordHash: "x", deletedAt: instant(1) }
        assert.deepStrictEqual(yield* users.update(changed), changed)
        assert.deepStrictEqual(yield* users.find(user.id), Option.some(changed))
        assert.deepStrictEqual(yield* users.findByEmail(user.email), Option.none())
        assert.deepStrictEqual(yield* users.findByEmail(changed.email), Option.some(changed))
        assert.deepStrictEqual(yield* users.find(other.id), Option.some(other))
      })
    )
  })
}
