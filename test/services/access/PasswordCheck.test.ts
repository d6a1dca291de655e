import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Redacted, TestClock } from "effect"
import { SecretsNode } from "../../../src/adapters/node/Secrets.ts"
import { MemoryMetadata } from "../../../src/adapters/memory/Memory.ts"
import { defaults } from "../../../src/app/Config.ts"
import { SettingsLive } from "../../../src/app/SettingsLive.ts"
import { Passwords } from "../../../src/ports/access/Passwords.ts"
import { guessedAccount, guessingAddress } from "../../../src/domain/access/RateLimit.ts"
import { PasswordCheck } from "../../../src/services/access/passwords/PasswordCheck.ts"
import { RateLimiter } from "../../../src/services/access/RateLimiter.ts"

const right = Redacted.make("right")
const wrong = Redacted.make("wrong")

/** `hashing` comes before each hash. */
const world = (hashing = Effect.void) => {
  const asked: Array<string> = []
  const passwords = Layer.succeed(Passwords, {
    hash: () => Effect.as(hashing, "hash of nobody"),
    verify: (password, hash) =>
      Effect.sync(() => {
        asked.push(hash)
        return hash === `hash of ${Redacted.value(password)}`
      })
  })
  const layer = PasswordCheck.Default.pipe(
    Layer.provide(RateLimiter.Default),
    Layer.provide(Layer.mergeAll(passwords, SecretsNode, SettingsLive(defaults), MemoryMetadata))
  )
  return { asked, layer }
}

describe("password check", () => {
  it.effect("does the same slow work for nobody's password as for somebody's", () => {
    const { asked, layer } = world()
    return Effect.gen(function* () {
      const check = yield* PasswordCheck
      assert.isTrue(yield* check.verify(right, "hash of right", guessedAccount("a")))
      assert.isFalse(yield* check.verify(wrong, "hash of right", guessedAccount("a")))
      assert.isFalse(yield* check.verify(right, undefined, guessedAccount("a")))
      assert.isFalse(yield* check.verify(Redacted.make("nobody"), undefined, guessedAccount("a")))
      assert.deepStrictEqual(asked, ["hash of right", "hash of right", "hash of nobody", "hash of nobody"])
    }).pipe(Effect.provide(layer))
  })

  it.effect("checks the passwords of others after the first to sign in since the start has hung up", () => {
    const gate = Effect.unsafeMakeLatch(false)
    const { layer } = world(gate.await)
    return Effect.gen(function* () {
      const check = yield* PasswordCheck
      const sign = check.verify(right, "hash of right", guessedAccount("a"))
      const first = yield* Effect.fork(sign)
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(first)
      yield* gate.open
      assert.deepStrictEqual(yield* Effect.exit(sign), Exit.succeed(true))
    }).pipe(Effect.provide(layer))
  })

  it.effect("hears nobody during the wait, which doubles with each failure and ends with a success", () => {
    const { asked, layer } = world()
    return Effect.gen(function* () {
      const check = yield* PasswordCheck
      const guess = (password: Redacted.Redacted) =>
        check.verify(password, "hash of right", guessedAccount("a"), guessingAddress("b"))
      const refusedFor = Effect.map(Effect.flip(guess(right)), (refused) => refused.retryAfterSeconds)
      yield* Effect.replicateEffect(guess(wrong), 5)
      assert.strictEqual(yield* refusedFor, 1)
      yield* TestClock.adjust("1 second")
      assert.isFalse(yield* guess(wrong))
      assert.strictEqual(yield* refusedFor, 2)
      assert.strictEqual(asked.length, 6)
      yield* TestClock.adjust("2 seconds")
      assert.isTrue(yield* guess(right))
      assert.isFalse(yield* guess(wrong))
      assert.isTrue(yield* guess(right))
    }).pipe(Effect.provide(layer))
  })

  it.effect("of many guesses at once few are heard", () => {
    const { asked, layer } = world()
    return Effect.gen(function* () {
      const check = yield* PasswordCheck
      const guess = Effect.exit(check.verify(wrong, "hash of right", guessedAccount("a")))
      yield* Effect.all(
        Array.from({ length: 50 }, () => guess),
        { concurrency: "unbounded" }
      )
      assert.isBelow(asked.length, 10)
    }).pipe(Effect.provide(layer))
  })
})
