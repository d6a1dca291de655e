import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { firstCharacters, hasCharacters } from "../../src/domain/Characters.ts"
import { anyCharacter } from "../support/AnyText.ts"

describe("characters", () => {
  it("are counted as Unicode counts them", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 12 }), fc.nat(8), fc.nat(8), (text, least, more) => {
        const count = Array.from(text).length
        assert.strictEqual(hasCharacters(text, least, least + more), count >= least && count <= least + more)
      })
    )
  })

  it("are cut off whole", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 12 }), fc.nat(12), (text, most) => {
        assert.strictEqual(firstCharacters(text, most), Array.from(text).slice(0, most).join(""))
      })
    )
  })
})
