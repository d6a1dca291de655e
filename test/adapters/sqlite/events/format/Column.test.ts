import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { ByteReader } from "../../../../../src/adapters/sqlite/events/bytes/ByteReader.ts"
import { ByteWriter } from "../../../../../src/adapters/sqlite/events/bytes/ByteWriter.ts"
import {
  columnAt,
  columnOf,
  decodeColumn,
  decodeColumnAt,
  encodeColumn,
  valueAt
} from "../../../../../src/adapters/sqlite/events/format/Column.ts"
import * as Packed from "../../../../../src/adapters/sqlite/events/bytes/IntegerEncoding.ts"
import type { Value } from "../../../../../src/domain/analytics/markers/Event.ts"
import { runCount } from "../../../../support/Runs.ts"

const integer = fc.integer()
const decimal = fc.integer({ min: -1e7, max: 1e7 }).map((value) => value / 1000 + 0)
const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
const text = fc.oneof(fc.string({ unit: "grapheme", maxLength: 30 }), fc.constantFrom("easy", "hard", ""))
const list = fc.array(fc.oneof(integer, text, fc.boolean()), { maxLength: 3 })

const cells = fc
  .constantFrom<ReadonlyArray<fc.Arbitrary<Value>>>(
    [integer],
    [decimal],
    [integer, decimal],
    [double, integer],
    [text],
    [fc.uuid()],
    [fc.boolean()],
    [list, text, double],
    [fc.constant(2 ** 53 - 1), integer]
  )
  .chain((kinds) => fc.array(fc.option(fc.oneof(...kinds), { nil: undefined }), { maxLength: 200 }))

describe("A column", () => {
  it("gives back every value it was made of", () =>
    fc.assert(
      fc.property(cells, (values) => {
        const column = decodeColumn(encodeColumn(columnOf(values)), values.length)
        assert.deepStrictEqual(
          values.map((_, row) => valueAt(column, row)),
          values
        )
      }),
      { numRuns: runCount(2000) }
    ))

  it("gives back some of its values without the others", () =>
    fc.assert(
      fc.property(cells, fc.array(fc.nat(), { maxLength: 8 }), (values, drawn) => {
        const places = Uint32Array.from(values.length === 0 ? [] : drawn, (place) => place % values.length)
        const data = encodeColumn(columnOf(values))
        const some = decodeColumnAt(data, values.length, places)
        const same = columnAt(decodeColumn(data, values.length), places)
        for (const [at, place] of places.entries())
          assert.deepStrictEqual([valueAt(some, at), valueAt(same, at)], [values[place], values[place]])
      }),
      { numRuns: runCount(2000) }
    ))

  it("holds a hundred thousand distinct texts, and few repeated ones in a few bits", () => {
    const many = Array.from({ length: 100_000 }, (_, row) => `item-${row}`)
    const column = decodeColumn(encodeColumn(columnOf(many)), many.length)
    assert.strictEqual(valueAt(column, 99_999), "item-99999")
    const few = many.map((_, row) => (((row * 2_654_435_761) >>> 7) % 4 === 0 ? "easy" : "hard"))
    assert.isBelow(encodeColumn(columnOf(few)).length, 30_000)
  })
})

describe("Packed integers", () => {
  const integers = fc.constantFrom(1, 7, 200, 70_000, 2 ** 25, 2 ** 31, 2 ** 33, 2 ** 48).chain((size) =>
    fc.array(
      fc.maxSafeInteger().map((value) => value % size),
      { maxLength: 300 }
    )
  )

  it("come back as they were, as values and as differences", () =>
    fc.assert(
      fc.property(integers, (values) => {
        const out = new ByteWriter()
        Packed.writeIntegers(out, values)
        Packed.writeDifferences(out, values)
        const from = new ByteReader(out.finish())
        assert.deepStrictEqual(
          [...Packed.readIntegers(from, values.length)],
          values.map((value) => value + 0)
        )
        assert.deepStrictEqual(
          [...Packed.readDifferences(from, values.length)],
          values.map((value) => value + 0)
        )
        assert.isTrue(from.atEnd)
      }),
      { numRuns: runCount(2000) }
    ))

  it("come back one by one, compressed or not", () => {
    const noise = (row: number) => Math.imul(row + 1, 2_654_435_761) >>> 0
    const kinds: ReadonlyArray<(row: number) => number> = [
      (row) => noise(row) % 97,
      (row) => noise(row) % 70_000,
      (row) => 5 + (row % 1000 === 0 ? noise(row) % 2 ** 31 : noise(row) % 256),
      (row) => row * 1e6,
      () => 42
    ]
    for (const kind of kinds) {
      const values = Array.from({ length: 20_000 }, (_, row) => kind(row))
      const out = new ByteWriter()
      Packed.writeIntegers(out, values)
      const data = out.finish()
      assert.deepStrictEqual([...Packed.readIntegers(new ByteReader(data), values.length)], values)
      const places = Uint32Array.from([0, 1, 7, 8, 9999, 19_998, 19_999])
      assert.deepStrictEqual(
        [...Packed.readIntegersAt(new ByteReader(data), values.length, places)],
        [...places].map(kind)
      )
      if (Math.max(...values) >= 2 ** 32) continue
      const wanted = values[7777]!
      assert.deepStrictEqual(
        Packed.placesOfCode(new ByteReader(data), values.length, wanted),
        values.flatMap((value, row) => (value === wanted ? [row] : []))
      )
      for (const other of [wanted + 2 ** 31, -1])
        if (!values.includes(other))
          assert.deepStrictEqual(Packed.placesOfCode(new ByteReader(data), values.length, other), [])
    }
  })
})
