import { assert, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { type Outermost, outermostCodes } from "../../../../../src/adapters/sqlite/events/read/OutermostRows.ts"
import type { Selection } from "../../../../../src/adapters/sqlite/events/read/Selection.ts"
import { runCount } from "../../../../support/Runs.ts"
import { blockOf } from "../BlockOf.ts"

const units = 4

interface Row {
  readonly unit: number
  readonly time: number
  readonly sequence: number
  readonly code: number
}

/** Few instants, so that rows of a unit in several blocks are often of the same one, and only the sequence tells them apart. */
const blocks = fc
  .array(
    fc.record({
      block: fc.integer({ min: 0, max: 3 }),
      unit: fc.integer({ min: 0, max: units - 1 }),
      time: fc.integer({ min: 0, max: 3 }),
      code: fc.integer({ min: -1, max: 5 }),
      isSelected: fc.boolean()
    }),
    { maxLength: 30 }
  )
  .chain((rows) => fc.tuple(fc.constant(rows), fc.shuffledSubarray([...rows.keys()], { minLength: rows.length })))
  .map(([rows, sequences]) => {
    const all = rows.map((row, at) => ({ ...row, sequence: sequences[at]! }))
    return [0, 1, 2, 3].map((block) =>
      all.filter((row) => row.block === block).sort((a, b) => a.time - b.time || a.sequence - b.sequence)
    )
  })

const selectionOf = (rows: ReadonlyArray<Row & { readonly isSelected: boolean }>): Selection => {
  const at = (places: Uint32Array, of: "time" | "sequence") => Float64Array.from(places, (row) => rows[row]![of])
  const selected = Uint32Array.from([...rows.keys()].filter((row) => rows[row]!.isSelected))
  return {
    block: blockOf({
      rows: rows.length,
      firstTimestamp: rows[0]!.time,
      lastTimestamp: rows[rows.length - 1]!.time,
      units: () => Uint32Array.from(rows, ({ unit }) => unit),
      timesAt: (places) => at(places, "time"),
      sequencesAt: (places) => at(places, "sequence")
    }),
    rows: selected,
    from: 0,
    to: selected.length
  }
}

const expected = (rows: ReadonlyArray<Row>, which: Outermost): Int32Array =>
  Int32Array.from({ length: units }, (_, unit) => {
    const own = rows.filter((row) => row.unit === unit && unit !== 0 && row.code !== -1)
    const inOrder = own.sort((a, b) => a.time - b.time || a.sequence - b.sequence)
    return inOrder.at(which === "first" ? 0 : -1)?.code ?? -1
  })

it("The outermost rows of units are the first and the last by time and sequence, whichever blocks these are in", () =>
  fc.assert(
    fc.property(blocks, fc.constantFrom<Array<Outermost>>("first", "last"), (all, which) => {
      const filled = all.filter((rows) => rows.length > 0)
      const rowsOf = new Map(filled.map((rows) => [selectionOf(rows), rows] as const))
      const found = outermostCodes(which, [...rowsOf.keys()], units, (selection) => (row) => {
        return rowsOf.get(selection)?.[row]?.code ?? -1
      })
      const selected = filled.flat().filter(({ isSelected }) => isSelected)
      assert.deepStrictEqual(found, expected(selected, which))
    }),
    { numRuns: runCount(500) }
  ))
