import { assert, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { rowsAmong, rowsInTable, unitTable } from "../../../../../src/adapters/sqlite/events/file/UnitTable.ts"
import { runCount } from "../../../../support/Runs.ts"

const unit = fc.oneof(fc.nat(5), fc.nat(100_000), fc.integer({ min: 2 ** 29 - 3, max: 2 ** 29 - 1 }))

it("A table finds the rows of each unit, and none of another", () =>
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 300 }), fc.array(unit), (all, others) => {
      const units = Uint32Array.from(all)
      const table = unitTable(units)
      for (const each of [...all, ...others]) {
        const rows = all.flatMap((own, row) => (own === each ? [row] : []))
        assert.deepStrictEqual(rowsAmong(units, each), rows)
        if (all.length > 0) assert.deepStrictEqual(rowsInTable(table, all.length, each), rows)
      }
    }),
    { numRuns: runCount(300) }
  ))

it("There is no table where the number of a unit does not fit", () => {
  assert.strictEqual(unitTable(Uint32Array.of(1, 2 ** 32 - 1, 3)).length, 0)
})
