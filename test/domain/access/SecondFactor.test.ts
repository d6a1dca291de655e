import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { readCode, recoveryCodeBytes, recoveryCodeOf } from "../../../src/domain/access/SecondFactor.ts"

const bytes = fc.uint8Array({ minLength: recoveryCodeBytes, maxLength: recoveryCodeBytes })

describe("codes of a second factor", () => {
  it("reads what people type", () => {
    const cases: ReadonlyArray<readonly [typed: string, read: ReturnType<typeof readCode>]> = [
      ["492039", { kind: "app", code: "492039" }],
      [" 492 039 ", { kind: "app", code: "492039" }],
      ["49203", { kind: "neither" }],
      ["4920391", { kind: "neither" }],
      ["", { kind: "neither" }],
      ["ab1c-d2ef-gh3j-k4mn", { kind: "recovery", code: "ab1c-d2ef-gh3j-k4mn" }],
      ["AB1CD2EFGH3JK4MN", { kind: "recovery", code: "ab1c-d2ef-gh3j-k4mn" }],
      ["abic-d2ef-gh3j-kOmn", { kind: "recovery", code: "ab1c-d2ef-gh3j-k0mn" }],
      ["ab1c-d2ef-gh3j-k4mü", { kind: "neither" }]
    ]
    for (const [typed, read] of cases) assert.deepStrictEqual(readCode(typed), read, typed)
  })

  it("a recovery code is read as it was given", () => {
    fc.assert(
      fc.property(bytes, (random) => {
        const code = recoveryCodeOf(random)
        assert.match(code, /^[0-9a-hj-km-np-tv-z]{4}(-[0-9a-hj-km-np-tv-z]{4}){3}$/)
        assert.deepStrictEqual(readCode(code.toUpperCase()), { kind: "recovery", code })
      })
    )
  })

  it("every bit of the random bytes is in a recovery code", () => {
    fc.assert(
      fc.property(bytes, bytes, (one, other) => {
        assert.strictEqual(recoveryCodeOf(one) === recoveryCodeOf(other), one.join() === other.join())
      })
    )
    for (let bit = 0; bit < recoveryCodeBytes * 8; bit++) {
      const changed = new Uint8Array(recoveryCodeBytes)
      changed[bit >> 3] = 1 << (bit & 7)
      assert.notStrictEqual(recoveryCodeOf(changed), recoveryCodeOf(new Uint8Array(recoveryCodeBytes)))
    }
  })
})
