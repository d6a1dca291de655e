import { assert, describe, it } from "@effect/vitest"
import { columnName } from "../../../../../src/adapters/sqlite/events/format/ColumnName.ts"
import { CellValues } from "../../../../../src/adapters/sqlite/events/scan/CellValues.ts"
import { blockOf } from "../BlockOf.ts"

const price = columnName.argument("price")
const values = Float64Array.of(3, NaN, 1, 2)

describe("the values of an argument by cell", () => {
  it("take room for rows of blocks that have it alone, and the others are not read", () => {
    const sold = blockOf({ rows: 4, columnNames: [price], column: () => ({ type: "numbers", values }) })
    const played = blockOf({ rows: 1000, column: () => assert.fail("a block without the argument was read") })
    const ranges = [{ from: 0, to: 2000 }]
    const codes = (rows: number) => ({ values: new Uint8Array(rows), table: null, counts: null, column: null })
    for (const remap of [null, Int32Array.of(0)]) {
      const held: Array<number> = []
      const population = {
        selections: [played, sold].map((block) => ({ block, rows: null, from: 0, to: block.rows })),
        groups: [codes(1000), codes(4)],
        memory: { bytes: 0, hold: (_: string, bytes: number) => void held.push(bytes) }
      }
      const cells = new CellValues(population, { ranges, groups: 1, remap }, "price")
      assert.deepStrictEqual([cells.count(0, 0, 1), cells.sum(0, 0, 1), cells.percentile(0, 0, 1, 50)], [3, 6, 2])
      assert.isAtMost(Math.max(...held), 4 * Float64Array.BYTES_PER_ELEMENT)
    }
  })
})
