import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { scryptSync } from "node:crypto"
import { Scrypt } from "../../../src/adapters/node/Scrypt.ts"
import { Passwords } from "../../../src/ports/Passwords.ts"

const cheap = Scrypt({ ln: 1, r: 1, p: 1 })
const password = Redacted.make("correct horse")
const salt = "c2FsdHNhbHRzYWx0c2FsdA"
const key = "A".repeat(43)

const verified = (candidate: Redacted.Redacted, hash: string) =>
  Effect.flatMap(Passwords, (passwords) => passwords.verify(candidate, hash))

const hashOf = (candidate: Redacted.Redacted) => Effect.flatMap(Passwords, (passwords) => passwords.hash(candidate))

describe("passwords", () => {
  it.effect("are known again, and no other is", () =>
    Effect.gen(function* () {
      const hash = yield* hashOf(password)
      assert.isTrue(yield* verified(password, hash))
      assert.isFalse(yield* verified(Redacted.make("correct horsf"), hash))
      assert.isFalse(yield* verified(Redacted.make(""), hash))
    }).pipe(Effect.provide(cheap))
  )

  it.effect("never hash to the same text twice, nor to one that shows them", () =>
    Effect.gen(function* () {
      const [first, second] = yield* Effect.all([hashOf(password), hashOf(password)])
      assert.notStrictEqual(first, second)
      assert.match(first, /^scrypt\$ln=1,r=1,p=1\$[\w-]{22}\$[\w-]{43}$/)
      assert.notInclude(first, Redacted.value(password))
    }).pipe(Effect.provide(cheap))
  )

  it.effect("are hashed at the recommended cost, which the hash names, and as RFC 7914 says", () =>
    Effect.gen(function* () {
      const hash = yield* hashOf(password)
      const [scheme, cost, salted = "", derived = ""] = hash.split("$")
      assert.deepStrictEqual([scheme, cost], ["scrypt", "ln=15,r=8,p=3"])
      const options = { N: 2 ** 15, r: 8, p: 3, maxmem: 2 ** 26 }
      const expected = scryptSync(Redacted.value(password), Buffer.from(salted, "base64url"), 32, options)
      assert.strictEqual(derived, expected.toString("base64url"))
    }).pipe(Effect.provide(Scrypt()))
  )

  it.effect("of another cost are still known: the hash carries its own", () =>
    Effect.gen(function* () {
      const hash = yield* Effect.provide(hashOf(password), Scrypt({ ln: 4, r: 2, p: 2 }))
      assert.isTrue(yield* verified(password, hash))
    }).pipe(Effect.provide(cheap))
  )

  it.effect("are the same however the keyboard composes them", () =>
    Effect.gen(function* () {
      const hash = yield* hashOf(Redacted.make("Zoë ﬁ"))
      assert.isTrue(yield* verified(Redacted.make("Zoe\u0308 fi"), hash))
    }).pipe(Effect.provide(cheap))
  )

  it.effect("are not known by a malformed hash", () =>
    Effect.gen(function* () {
      const good = yield* hashOf(password)
      const spoilt = [
        "",
        "scrypt",
        good.slice(1),
        good.slice(0, -1),
        `${good}A`,
        ` ${good}`,
        `${good}\n`,
        good.replace("ln=1", "ln=0"),
        good.replace("ln=1", "ln=99"),
        good.replace("r=1", "r=0"),
        good.replace("p=1", "p=0"),
        good.replace("p=1", "p=1e9"),
        `scrypt$ln=1,r=1,p=1$$${key}`,
        `scrypt$ln=1,r=1,p=1$${salt}$`,
        `bcrypt$ln=1,r=1,p=1$${salt}$${key}`
      ]
      assert.deepStrictEqual(yield* Effect.filter(spoilt, (hash) => verified(password, hash)), [])
    }).pipe(Effect.provide(cheap))
  )
})
