import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SecretsNode } from "../../../src/adapters/node/Secrets.ts"
import { Secrets } from "../../../src/ports/Secrets.ts"

/** FIPS 180-2, appendix B.1: SHA-256 of "abc". */
const published = Buffer.from("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "hex")

describe("secrets", () => {
  it.effect("are as many bytes as asked for, and never the same", () =>
    Effect.gen(function* () {
      const secrets = yield* Secrets
      const drawn = yield* Effect.forEach([0, 1, 32, 1000], secrets.bytes)
      assert.deepStrictEqual(
        drawn.map((bytes) => bytes.length),
        [0, 1, 32, 1000]
      )
      assert.notDeepEqual([...(yield* secrets.bytes(32))], [...(yield* secrets.bytes(32))])
    }).pipe(Effect.provide(SecretsNode))
  )

  it.effect("are UUIDs of version 4, each once", () =>
    Effect.gen(function* () {
      const secrets = yield* Secrets
      const drawn = yield* Effect.replicateEffect(secrets.uuid, 100)
      assert.strictEqual(new Set(drawn).size, 100)
      for (const uuid of drawn) {
        assert.match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      }
    }).pipe(Effect.provide(SecretsNode))
  )

  it.effect("are hashed with SHA-256, as texts in base64url", () =>
    Effect.gen(function* () {
      const secrets = yield* Secrets
      assert.strictEqual(secrets.hash(Redacted.make("abc")), published.toString("base64url"))
      assert.strictEqual(secrets.digest(Uint8Array.from([97, 98, 99])), published.toString("base64url"))
      assert.deepStrictEqual([...secrets.fingerprint("abc")], [...published])
    }).pipe(Effect.provide(SecretsNode))
  )
})
