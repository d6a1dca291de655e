import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { forgottenMillis, guessedAccount, guessedCode, guessingAddress } from "../../../src/domain/access/RateLimit.ts"
import { RateLimits } from "../../../src/ports/access/RateLimits.ts"
import { everyStore } from "../../support/Stores.ts"

for (const [label, store] of everyStore) {
  layer(store)(`limits in ${label}`, (it) => {
    it.effect("make nobody wait who has not failed often, and then longer with each failure", () =>
      Effect.gen(function* () {
        const limits = yield* RateLimits
        const ann = guessedAccount("ann")
        assert.strictEqual(yield* limits.waitMillis([ann], 0), 0)
        for (let at = 0; at < 4; at++) yield* limits.failure([ann], at)
        assert.strictEqual(yield* limits.waitMillis([ann], 4), 0)
        yield* limits.failure([ann], 4)
        assert.strictEqual(yield* limits.waitMillis([ann], 4), 1000)
        assert.strictEqual(yield* limits.waitMillis([ann], 504), 500)
        yield* limits.failure([ann], 1004)
        assert.strictEqual(yield* limits.waitMillis([ann], 1004), 2000)
        assert.strictEqual(yield* limits.waitMillis([guessedAccount("bob")], 1004), 0)
      })
    )

    it.effect("count each guesser apart, and answer the longest wait of several", () =>
      Effect.gen(function* () {
        const limits = yield* RateLimits
        const [cid, home] = [guessedAccount("cid"), guessingAddress("203.0.113.1")]
        for (let at = 0; at < 6; at++) yield* limits.failure([cid, home], 0)
        assert.strictEqual(yield* limits.waitMillis([home], 0), 0)
        assert.strictEqual(yield* limits.waitMillis([home, cid], 0), 2000)
        assert.strictEqual(yield* limits.waitMillis([], 0), 0)
        yield* limits.success(cid)
        assert.strictEqual(yield* limits.waitMillis([home, cid], 0), 0)
        for (let at = 6; at < 50; at++) yield* limits.failure([home], 0)
        assert.strictEqual(yield* limits.waitMillis([home], 0), 1000)
      })
    )

    it.effect("lose no failure of those that are counted at once", () =>
      Effect.gen(function* () {
        const limits = yield* RateLimits
        const dan = guessedAccount("dan")
        yield* Effect.all(
          Array.from({ length: 10 }, () => limits.failure([dan], 0)),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(yield* limits.waitMillis([dan], 0), 1000 * 2 ** 5)
      })
    )

    it.effect("let by no more guesses that come at once than one after the other", () =>
      Effect.gen(function* () {
        const limits = yield* RateLimits
        const guesser = guessedCode("fay")
        const waits = yield* Effect.all(
          Array.from({ length: 20 }, () => limits.guess(guesser, 0)),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(
          waits.filter((wait) => wait === 0),
          guesser.free
        )
        assert.deepStrictEqual([...new Set(waits)].toSorted(), [0, 1000])
        assert.strictEqual(yield* limits.guess(guesser, 1000), 0)
        assert.strictEqual(yield* limits.guess(guesser, 1000), 2000)
        yield* limits.success(guesser)
        assert.strictEqual(yield* limits.guess(guesser, 1000), 0)
        assert.strictEqual(yield* limits.waitMillis([guesser], 1000), 0)
      })
    )

    it.effect("forget what was an hour ago", () =>
      Effect.gen(function* () {
        const limits = yield* RateLimits
        const eve = guessedAccount("eve")
        for (let at = 0; at < 5; at++) yield* limits.failure([eve], 0)
        yield* limits.failure([eve], forgottenMillis + 1)
        assert.strictEqual(yield* limits.waitMillis([eve], forgottenMillis + 1), 0)
      })
    )
  })
}
