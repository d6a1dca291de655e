import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { scryptSync } from "node:crypto"
import { Scrypt } from "../../../src/adapters/node/Scrypt.ts"
import { Passwords } from "../../../src/ports/access/Passwords.ts"

const cheap = { ln: 1, r: 1, p: 1 }

layer(Scrypt(cheap))("passwords", (it) => {
  it.effect("knows a password by its hash, and no other", () =>
    Effect.gen(function* () {
      const { hash, verify } = yield* Passwords
      for (const password of ["correct horse", "", " ", "🎮".repeat(64), "a\u0000b", "pass\ud800word"]) {
        const known = yield* hash(Redacted.make(password))
        assert.isTrue(yield* verify(Redacted.make(password), known))
        assert.isFalse(yield* verify(Redacted.make(`${password} `), known))
      }
    })
  )

  it.effect("takes a password as the same however its accents were typed", () =>
    Effect.gen(function* () {
      const { hash, verify } = yield* Passwords
      assert.isTrue(yield* verify(Redacted.make("cafe\u0301"), yield* hash(Redacted.make("caf\u00e9"))))
    })
  )

  it.effect("salts: the same password never has the same hash, and the hash never shows it", () =>
    Effect.gen(function* () {
      const { hash } = yield* Passwords
      const hashes = yield* Effect.replicateEffect(hash(Redacted.make("correct horse")), 20)
      assert.strictEqual(new Set(hashes).size, 20)
      assert.isFalse(hashes.some((each) => each.includes("correct")))
    })
  )

  it.effect("writes scrypt of RFC 7914 with its parameters", () =>
    Effect.gen(function* () {
      const { hash } = yield* Passwords
      const [, algorithm, parameters, salt = "", key] =
        /^(scrypt)\$(ln=1,r=1,p=1)\$([\w-]{22})\$([\w-]{43})$/.exec(yield* hash(Redacted.make("secret"))) ?? []
      assert.deepStrictEqual([algorithm, parameters], ["scrypt", "ln=1,r=1,p=1"])
      const expected = scryptSync("secret", Buffer.from(salt, "base64url"), 32, { N: 2, r: 1, p: 1 })
      assert.strictEqual(key, expected.toString("base64url"))
    })
  )

  it.effect("verifies with the parameters of the hash, not with its own", () =>
    Effect.gen(function* () {
      const other = yield* Effect.provide(Passwords, Scrypt({ ln: 4, r: 2, p: 2 }))
      const known = yield* other.hash(Redacted.make("secret"))
      const { verify } = yield* Passwords
      assert.isTrue(yield* verify(Redacted.make("secret"), known))
    })
  )

  it.effect("knows nobody by a hash that is malformed or asks for more work than any of ours", () =>
    Effect.gen(function* () {
      const { hash, verify } = yield* Passwords
      const known = yield* hash(Redacted.make("secret"))
      const malformed = [
        "",
        "scrypt$",
        known.slice(0, -1),
        `${known}A`,
        ` ${known}`,
        `${known}\n`,
        known.replace("scrypt", "argon2"),
        known.replace("ln=1", "ln=0"),
        known.replace("ln=1", "ln=99"),
        known.replace("r=1", "r=0"),
        known.replace("p=1", "p=0"),
        known.replace("r=1,p=1", "r=99,p=99").replace("ln=1", "ln=31"),
        known.replace(/\$[\w-]+\$/, "$$$$")
      ]
      for (const each of malformed) assert.isFalse(yield* verify(Redacted.make("secret"), each), each)
    })
  )
})
