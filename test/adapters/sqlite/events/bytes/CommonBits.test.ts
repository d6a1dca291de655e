import { assert, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { CommonBits } from "../../../../../src/adapters/sqlite/events/bytes/CommonBits.ts"
import { countCommon, countUnits } from "../../../../../src/adapters/sqlite/events/scan/UnitBits.ts"
import { runCount } from "../../../../support/Runs.ts"

const word = fc.oneof(fc.constantFrom(0, 1, 2 ** 31, 2 ** 32 - 1), fc.integer({ min: 0, max: 2 ** 32 - 1 }))

it("The bits that two sets share are counted, whatever the number of words", () =>
  fc.assert(
    fc.property(
      fc.nat(40),
      fc.array(fc.array(word, { minLength: 40, maxLength: 40 }), { maxLength: 5 }),
      (size, all) => {
        const sets = all.map((words) => Uint32Array.from(words.slice(0, size)))
        const common = new CommonBits(sets, countCommon)
        for (const [a, first] of sets.entries())
          for (const [b, second] of sets.entries()) {
            const shared = countUnits(first.map((each, at) => each & second[at]!))
            assert.strictEqual(common.count(a, b), shared)
            assert.strictEqual(countCommon(first, second), shared)
          }
      }
    ),
    { numRuns: runCount(200) }
  ))
