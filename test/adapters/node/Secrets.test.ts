import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SecretsNode } from "../../../src/adapters/node/Secrets.ts"
import { Secrets } from "../../../src/ports/access/Secrets.ts"

layer(SecretsNode)("secrets", (it) => {
  it.effect("gives as many bytes as asked for, others each time", () =>
    Effect.gen(function* () {
      const { bytes } = yield* Secrets
      for (const length of [0, 1, 32, 1000]) assert.strictEqual((yield* bytes(length)).length, length)
      const drawn = yield* Effect.replicateEffect(bytes(16), 200)
      assert.strictEqual(new Set(drawn.map((each) => each.join())).size, 200)
      assert.isAbove(new Set(drawn.flatMap((each) => [...each])).size, 250)
    })
  )

  it.effect("gives UUIDs of version 4, another each time", () =>
    Effect.gen(function* () {
      const { uuid } = yield* Secrets
      const drawn = yield* Effect.replicateEffect(uuid, 200)
      assert.strictEqual(new Set(drawn).size, 200)
      for (const each of drawn) assert.match(each, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    })
  )

  it.effect("hashes as FIPS 180-4 says, in base64url without padding", () =>
    Effect.gen(function* () {
      const { hash, fingerprint, fingerprintDigits, digest } = yield* Secrets
      const abc = "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0"
      const nothing = "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"
      assert.strictEqual(hash(Redacted.make("abc")), abc)
      assert.strictEqual(hash(Redacted.make("")), nothing)
      assert.strictEqual(digest(Uint8Array.of(97, 98, 99)), abc)
      assert.strictEqual(digest(new Uint8Array(0)), nothing)
      assert.strictEqual(Buffer.from(fingerprint("abc")).toString("base64url"), abc)
      assert.strictEqual(fingerprint("").length, 32)
      assert.strictEqual(fingerprintDigits("abc"), Buffer.from(fingerprint("abc")).toString("hex"))
      assert.strictEqual(hash(Redacted.make("東京")), digest(new TextEncoder().encode("東京")))
    })
  )
})
