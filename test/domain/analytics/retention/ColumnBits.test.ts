import { assert, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { ColumnBits } from "../../../../src/domain/analytics/retention/ColumnBits.ts"
import { columnsOf } from "../../../../src/domain/analytics/retention/RetentionCells.ts"
import type { Criterion } from "../../../../src/domain/analytics/retention/RetentionPlan.ts"
import { runCount } from "../../../support/Runs.ts"

const width = fc.oneof(fc.constantFrom(1, 29, 30, 31, 60, 61), fc.integer({ min: 1, max: 70 }))
const bracket = fc
  .tuple(fc.integer({ min: 1, max: 80 }), fc.integer({ min: 0, max: 20 }))
  .map(([from, length]) => [from, from + length] as const)
const criterion: fc.Arbitrary<Criterion> = fc.oneof(
  fc.record({
    type: fc.constantFrom("on" as const, "onOrBefore" as const, "onOrAfter" as const),
    columns: width
  }),
  fc.record({
    type: fc.constant("brackets" as const),
    brackets: fc.array(bracket, { minLength: 1 }).map((all) => all.toSorted(([a], [b]) => a - b))
  })
)
/** Periods of returns, ascending, and of three starts. */
const cells = fc.record({
  periods: fc.uniqueArray(fc.integer({ min: 0, max: 90 })).map((all) => all.toSorted((a, b) => a - b)),
  starts: fc.tuple(fc.nat({ max: 10 }), fc.nat({ max: 10 }), fc.nat({ max: 10 }))
})

it("The bits of a cell are the columns that hold an interval since its start, and no other cell has any of them", () => {
  fc.assert(
    fc.property(criterion, cells, fc.nat({ max: 2 }), (chosen, { periods, starts }, left) => {
      const bits = new ColumnBits(chosen)
      const columns = columnsOf(chosen)
      const retained = Array.from({ length: starts.length * bits.words }, () => 0)
      for (const [place, start] of starts.entries())
        if (place !== left) bits.mark(retained, place, [...periods, start + 1], periods.length, start)
      for (const [place, start] of starts.entries()) {
        const expected = columns.map(
          ([least, most]) =>
            place !== left && periods.some((period) => period - start >= least && period - start <= most)
        )
        assert.deepStrictEqual(
          columns.map((_, column) => bits.has(retained, place, column)),
          expected
        )
        const counts = new Float64Array(columns.length + 40)
        bits.count(retained, place * bits.words, counts)
        assert.deepStrictEqual([...counts], [...expected.map(Number), ...Array.from({ length: 40 }, () => 0)])
      }
    }),
    { numRuns: runCount(500) }
  )
})
