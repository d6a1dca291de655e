import { assert, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { dailySizes } from "../../../src/domain/cohorts/DailySizes.ts"

it("a cohort's size at the end of a day is that of its last computation until then", () => {
  const runs = fc
    .array(fc.record({ at: fc.integer({ min: 0, max: 100 }), memberCount: fc.nat(9) }), { maxLength: 12 })
    .map((all) => all.toSorted((one, other) => one.at - other.at))
  const starts = fc
    .uniqueArray(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 6 })
    .map((all) => all.toSorted((one, other) => one - other))
  fc.assert(
    fc.property(runs, starts, (all, days) => {
      const expected = days.slice(1).map((end) => all.findLast(({ at }) => at < end)?.memberCount ?? null)
      assert.deepStrictEqual(dailySizes(all, days), expected)
    })
  )
})
