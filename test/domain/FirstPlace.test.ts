import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { firstPlace } from "../../src/domain/FirstPlace.ts"

describe("the first place", () => {
  it("is the one that a search from the start finds, and the number of places where there is none", () =>
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 })), fc.integer({ min: -1, max: 21 }), (numbers, wanted) => {
        const ascending = numbers.toSorted((a, b) => a - b)
        const found = ascending.findIndex((each) => each >= wanted)
        assert.strictEqual(
          firstPlace(ascending.length, (at) => ascending[at]! >= wanted),
          found < 0 ? ascending.length : found
        )
      })
    ))
})
