import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as Token from "../../../src/domain/access/Token.ts"
import { runCount } from "../../support/Runs.ts"

const alphabet = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"]
const random = fc.array(fc.constantFrom(...alphabet), { minLength: 32, maxLength: 32 }).map((all) => all.join(""))
const type = fc.constantFrom("public" as const, "secret" as const, "personal" as const)

describe("token", () => {
  it("has the CRC-32 of the standard's check value", () => {
    assert.strictEqual(Token.crc32("123456789"), 0xcbf43926)
  })

  it.prop("is known by its prefix, and its last four characters may be shown", [type, random], ([kind, text]) => {
    const secret = Token.make(kind, "gk", text)
    assert.strictEqual(secret.length, Token.prefixOf(kind, "gk").length + 38)
    assert.strictEqual(Token.typeOf(secret), kind)
    assert.isTrue(secret.endsWith(Token.describe(kind, "gk", secret).lastFour))
  })

  const product = fc
    .string({ unit: fc.constantFrom("a", "Z", "7", "_", "-", ".", "sk", "pat", "sdk") })
    .filter(Token.isProduct)

  it.prop(
    "is known by its type whatever the product was called when it was made",
    [product, type, random],
    ([name, kind, text]) => {
      assert.strictEqual(Token.typeOf(Token.make(kind, name, text)), kind)
    }
  )

  it.each(["sdk", "sdk_a", "", "a b", "x".repeat(33)])("%j is no product whose keys are known", (name) => {
    assert.isUndefined(Token.typeOf(Token.make("secret", name, "0".repeat(32))))
  })

  it.prop(
    "one changed character is refused without a lookup",
    [type, random, fc.nat(), fc.constantFrom(...alphabet)],
    ([kind, text, at, replacement]) => {
      const secret = Token.make(kind, "gk", text)
      const start = Token.prefixOf(kind, "gk").length
      const index = start + (at % (secret.length - start))
      if (secret[index] === replacement) return
      const typo = secret.slice(0, index) + replacement + secret.slice(index + 1)
      assert.isUndefined(Token.typeOf(typo))
    },
    { fastCheck: { numRuns: runCount(1000) } }
  )

  it.prop("random bytes give base62 without bias", [fc.uint8Array({ minLength: 80, maxLength: 80 })], ([bytes]) => {
    assert.match(Token.randomText(bytes), /^[0-9A-Za-z]{0,32}$/)
  })
})
