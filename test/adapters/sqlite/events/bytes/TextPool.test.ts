import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { TextPool } from "../../../../../src/adapters/sqlite/events/bytes/TextPool.ts"
import { runCount } from "../../../../support/Runs.ts"

describe("A pool of texts", () => {
  it("gives back the text of any bytes in UTF-8, however often", () =>
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 40 }), { maxLength: 20 }), (texts) => {
        const pool = new TextPool()
        for (const text of [...texts, ...texts.toReversed()]) {
          const bytes = new TextEncoder().encode(`<${text}>`)
          assert.strictEqual(pool.textOf(bytes, 1, bytes.length - 1), text)
        }
      }),
      { numRuns: runCount(200) }
    ))
})
