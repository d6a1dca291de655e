import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc, Option } from "effect"
import { cursorOf, cursorText } from "../../../../src/domain/analytics/markers/ListingCursor.ts"

describe("the cursor of a listing", () => {
  const cursor = fc.record({ timestamp: fc.maxSafeInteger(), sequence: fc.maxSafeNat(), asOf: fc.maxSafeNat() })

  it.prop("is read as it was written, from a word that fits in a URL", [cursor], ([each]) => {
    const text = cursorText(each, "q")
    assert.match(text, /^[\w-]+$/)
    assert.deepStrictEqual(cursorOf(text, "q"), Option.some(each))
    assert.isTrue(Option.isNone(cursorOf(text, "another question")), "C5")
  })

  it.prop("is never read from other text by accident", [fc.string()], ([text]) => {
    const read = cursorOf(text, "q")
    if (Option.isSome(read)) assert.deepStrictEqual(cursorOf(cursorText(read.value, "q"), "q"), read)
  })
})
