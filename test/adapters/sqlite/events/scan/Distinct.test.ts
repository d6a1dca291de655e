import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { countDistinct } from "../../../../../src/adapters/sqlite/events/scan/Distinct.ts"
import { runCount } from "../../../../support/Runs.ts"
import { blockOf } from "../BlockOf.ts"

/** A row a millisecond. */
const rows = fc.array(fc.record({ id: fc.integer({ min: 0, max: 6 }), group: fc.integer({ min: 0, max: 4 }) }), {
  maxLength: 60
})
/** Ranges may overlap, as those of active users do. */
const ranges = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 30 }))
    .map(([from, length]) => ({ from, to: from + length })),
  { minLength: 1, maxLength: 4 }
)

/** So many ids that a bitmap of them and all groups would be too large. */
const [fewIds, manyIds] = [7, 2 ** 25 / 1000]
const manyGroups = 1001

it("Distinct ids of groups are counted alike with few groups and ids, with many, and with room for the ids of few rows", () => {
  fc.assert(
    fc.property(rows, ranges, fc.boolean(), (all, spans, cumulative) => {
      const inOrder = cumulative ? spans.toSorted((a, b) => a.from - b.from) : spans
      const distinct = (group: number, of: ReadonlyArray<{ readonly from: number; readonly to: number }>) =>
        new Set(
          all.flatMap((row, at) =>
            row.group === group && row.id !== 0 && of.some(({ from, to }) => at >= from && at < to) ? [row.id] : []
          )
        ).size
      const expected = [0, 1, 2, 3].map((group) => ({
        cells: inOrder.map((span, at) => distinct(group, cumulative ? inOrder.slice(0, at + 1) : [span])),
        total: distinct(group, inOrder)
      }))
      for (const [size, groups, bytes] of [
        [fewIds, 4, 1e6],
        [manyIds, manyGroups, 1e6],
        [manyIds, manyGroups, 20]
      ] as const) {
        const population = {
          selections: [{ block: blockOf({ rows: all.length }), rows: null, from: 0, to: all.length }],
          groups: [{ values: Uint8Array.from(all, ({ group }) => group), table: null, counts: null, column: null }],
          memory: { bytes, hold: () => {} }
        }
        // The last group of the rows is not shown.
        const remap = Int32Array.of(0, 1, 2, 3, -1)
        const ids = () => Uint32Array.from(all, ({ id }) => id)
        const found = countDistinct(population, ids, size, { ranges: inOrder, groups, remap }, cumulative)
        for (const [group, { cells, total }] of expected.entries()) {
          const own = found.cells.subarray(group * inOrder.length, (group + 1) * inOrder.length)
          assert.deepStrictEqual([[...own], found.groups[group]], [cells, total])
        }
        assert.strictEqual(
          found.groups.subarray(4).reduce((sum, count) => sum + count, 0),
          0
        )
      }
    }),
    { numRuns: runCount(100) }
  )
})
