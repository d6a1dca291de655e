import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import {
  decodeColumn,
  encodeColumn,
  hasValue,
  type Column
} from "../../../../../src/adapters/sqlite/events/format/Column.ts"
import { columnInOrder, joinedColumn } from "../../../../../src/adapters/sqlite/events/format/ColumnMaking.ts"
import { columnOf } from "../../../../support/analytics/ColumnOf.ts"
import { ColumnCells } from "../../../../../src/adapters/sqlite/events/format/ColumnCells.ts"
import { orderOf } from "../../../../../src/adapters/sqlite/events/format/SegmentRows.ts"
import { sequence } from "../../../../../src/adapters/sqlite/events/bytes/Sequence.ts"
import type { Value } from "../../../../../src/domain/analytics/markers/Event.ts"
import { runCount } from "../../../../support/Runs.ts"

const kinds: ReadonlyArray<fc.Arbitrary<Value>> = [
  fc.nat({ max: 5 }),
  fc.constantFrom(0.25, 0.5, 1.125, 1e300),
  fc.constantFrom("easy", "hard", "1"),
  fc.boolean(),
  fc.array(fc.nat({ max: 1 }), { maxLength: 2 })
]

const cells = fc
  .subarray([...kinds], { minLength: 1 })
  .chain((own) => fc.array(fc.option(fc.oneof(...own), { nil: undefined }), { maxLength: 80 }))

/** Some that follow each other closely, some that come late, some at the same instant. */
const times = fc.oneof(
  fc.array(fc.nat({ max: 20 }), { maxLength: 100 }),
  fc
    .array(
      fc.tuple(
        fc.nat({ max: 3 }),
        fc.integer({ min: 0, max: 20 }).map((late) => Math.max(0, late - 15) * 9)
      )
    )
    .map((steps) => steps.map(([step, late], at) => at * 2 + step - late))
)

const written = (column: Column | undefined): ReadonlyArray<number> | undefined =>
  column === undefined ? undefined : [...encodeColumn(column)]

describe("A column that rows add to", () => {
  it("has the bytes of one that is made of the values, of all rows and of the first", () =>
    fc.assert(
      fc.property(cells, fc.nat({ max: 80 }), (values, first) => {
        const added = new ColumnCells()
        const make = (rows: number) => written(columnInOrder(added.column(rows), sequence(0, rows)))
        const texts = ["easy", "hard", "1"]
        for (const [row, value] of values.entries())
          if (typeof value === "string") {
            // All of them have one place among the remembered texts.
            const key = 64 * (1 + texts.indexOf(value))
            if (!added.addKnown(row, key)) added.addText(row, key, value)
          } else if (value !== undefined) added.add(row, value)
        const few = Math.min(first, values.length)
        assert.deepStrictEqual(make(few), written(columnInOrder(columnOf(values), sequence(0, few))))
        assert.deepStrictEqual(make(values.length), written(columnOf(values)))
      }),
      { numRuns: runCount(1000) }
    ))
})

describe("A column that is made of others", () => {
  it("has the bytes of one that is made of the values, in any order", () =>
    fc.assert(
      fc.property(cells, fc.infiniteStream(fc.nat()), (values, keys) => {
        const ranks = values.map(() => Number(keys.next().value))
        const order = Uint32Array.from(values.keys()).sort((a, b) => ranks[a]! - ranks[b]! || a - b)
        assert.deepStrictEqual(written(columnInOrder(columnOf(values), order)), written(columnOf(values, order)))
      }),
      { numRuns: runCount(1000) }
    ))

  it("has the bytes of one that is made of the values of all blocks", () =>
    fc.assert(
      fc.property(fc.array(cells, { maxLength: 5 }), (blocks) => {
        const stored = blocks.map((values) => {
          const own = columnOf(values)
          return {
            rows: values.length,
            column: hasValue(own) ? decodeColumn(encodeColumn(own), values.length) : undefined
          }
        })
        const whole = columnOf(blocks.flat())
        assert.deepStrictEqual(written(joinedColumn(stored)), hasValue(whole) ? written(whole) : undefined)
      }),
      { numRuns: runCount(1000) }
    ))
})

describe("The order of rows", () => {
  it("is by timestamp, then by sequence, however late rows come", () =>
    fc.assert(
      fc.property(times, fc.boolean(), (instants, isReversed) => {
        const sequences = instants.map((_, at) => (isReversed ? instants.length - at : at + 1))
        const expected = [...instants.keys()].sort(
          (a, b) => instants[a]! - instants[b]! || sequences[a]! - sequences[b]!
        )
        assert.deepStrictEqual([...orderOf({ times: instants, sequences })], expected)
      }),
      { numRuns: runCount(1000) }
    ))
})
