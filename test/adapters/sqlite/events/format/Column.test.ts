import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { ByteReader, DamagedBytes } from "../../../../../src/adapters/sqlite/events/bytes/ByteReader.ts"
import { ByteWriter } from "../../../../../src/adapters/sqlite/events/bytes/ByteWriter.ts"
import {
  columnAt,
  decodeColumn,
  decodeColumnAt,
  encodeColumn,
  valueAt
} from "../../../../../src/adapters/sqlite/events/format/Column.ts"
import { columnOf } from "../../../../support/analytics/ColumnOf.ts"
import * as Packed from "../../../../../src/adapters/sqlite/events/bytes/IntegerEncoding.ts"
import type { Value } from "../../../../../src/domain/analytics/markers/Event.ts"
import { runCount } from "../../../../support/Runs.ts"

const integer = fc.integer()
const decimal = fc.integer({ min: -1e7, max: 1e7 }).map((value) => value / 1000 + 0)
const hundredth = fc.integer({ min: -1e6, max: 1e6 }).map((value) => value / 100 + 0)
const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
const text = fc.oneof(fc.string({ unit: "grapheme", maxLength: 30 }), fc.constantFrom("easy", "hard", ""))
const list = fc.array(fc.oneof(integer, text, fc.boolean()), { maxLength: 3 })

const cells = fc
  .constantFrom<ReadonlyArray<fc.Arbitrary<Value>>>(
    [integer],
    [decimal],
    [integer, decimal],
    [hundredth],
    [hundredth, integer],
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

  it("gives back every value where most rows have none", () =>
    fc.assert(
      fc.property(
        fc.oneof(hundredth, integer, fc.nat({ max: 9 })).chain((first) =>
          fc.array(fc.option(fc.oneof(fc.constant(first), hundredth, integer), { nil: undefined, freq: 1 }), {
            minLength: 60,
            maxLength: 300
          })
        ),
        fc.integer({ min: 1, max: 12 }),
        (drawn, kept) => {
          const values = drawn.map((value, row) => (row % 13 < kept ? undefined : value))
          const data = encodeColumn(columnOf(values))
          const column = decodeColumn(data, values.length)
          assert.deepStrictEqual(
            values.map((_, row) => valueAt(column, row)),
            values
          )
          const places = Uint32Array.from(values.keys()).reverse()
          const some = decodeColumnAt(data, values.length, places)
          assert.deepStrictEqual(
            values.map((_, row) => valueAt(some, values.length - 1 - row)),
            values
          )
        }
      ),
      { numRuns: runCount(1000) }
    ))

  it("takes no room for rows without a value", () => {
    const noise = (row: number) => (Math.imul(row + 1, 2_654_435_761) >>> 0) % 100_000
    const values = Array.from({ length: 20_000 }, (_, row) => (row % 5 === 0 ? noise(row) / 100 : undefined))
    // 4,000 values of 17 bits, and a bit a row at most.
    assert.isBelow(encodeColumn(columnOf(values)).length, (4000 * 17) / 8 + 20_000 / 8 + 64)
  })

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

  it("come back as they were, however near they are to those around them", () => {
    const walks = fc
      .record({
        least: fc.integer({ min: -(2 ** 40), max: 2 ** 40 }),
        reach: fc.constantFrom(1, 3, 900, 70_000, 2 ** 21, 2 ** 31),
        pace: fc.constantFrom(0, 1, 50, 1e6),
        drawn: fc.array(fc.tuple(fc.nat({ max: 2 ** 31 }), fc.integer({ min: 0, max: 40 })), {
          minLength: 1,
          maxLength: 300
        })
      })
      .map(({ least, reach, pace, drawn }) =>
        drawn.map(([noise, chance], row) => least + row * pace + (chance === 0 ? noise : noise % reach))
      )
    fc.assert(
      fc.property(walks, (values) => {
        const out = new ByteWriter()
        Packed.writeNearIntegers(out, values)
        const data = out.finish()
        const from = new ByteReader(data)
        assert.deepStrictEqual([...Packed.readIntegers(from, values.length)], values)
        assert.isTrue(from.atEnd)
        const places = Uint32Array.from(values.keys()).reverse()
        assert.deepStrictEqual(
          [...Packed.readIntegersAt(new ByteReader(data), values.length, places)],
          values.toReversed()
        )
        if (values.some((value) => value < 0 || value >= 2 ** 32)) return
        assert.deepStrictEqual([...Packed.readCodes(new ByteReader(data), values.length)], values)
        const [wanted] = values
        assert.deepStrictEqual(
          Packed.placesOfCode(new ByteReader(data), values.length, wanted!),
          values.flatMap((value, row) => (value === wanted ? [row] : []))
        )
      }),
      { numRuns: runCount(1000) }
    )
  })

  it("take in frames what tells them apart from those around them, though a few are far away", () => {
    const noise = (row: number) => Math.imul(row + 1, 2_654_435_761) >>> 0
    const values = Array.from({ length: 20_000 }, (_, row) =>
      row % 50 === 7 ? noise(row) % 1_000_000 : Math.floor(row * 50 + (noise(row) % 900))
    )
    const out = new ByteWriter()
    Packed.writeNearIntegers(out, values)
    // The pace of 50 a row makes 12 bits of the reach of 900 within 64 rows; 400 are far away.
    assert.isBelow(out.length, (20_000 * 13) / 8 + 400 * 5)
  })

  it("are refused where exceptions, or rows without a zero, are not within their number", () => {
    const read = (stored: ReadonlyArray<number>, count: number) => () =>
      Packed.readIntegers(new ByteReader(Uint8Array.from(stored)), count)
    const frames = (gap: number) => [5, 0, 0, 0, 0, 0, 3, 0, 1, 0, 8, gap, 0, 0, 0, 0, 0, 8, 7, 0, 0, 0, 0, 0]
    assert.deepStrictEqual([...read(frames(2), 3)()], [0, 0, 7])
    assert.throws(read(frames(3), 3), DamagedBytes)
    assert.deepStrictEqual([...read([4, 0, 1, 2, 0, 8, 9, 0, 0, 0, 0, 0], 3)()], [0, 9, 0])
    assert.throws(read([4, 0, 2, 2, 0, 0, 8, 9, 0, 0, 0, 0, 0], 3), DamagedBytes)
    assert.throws(read([4, 0, 1, 2, 5, 8, 9, 0, 0, 0, 0, 0], 3), DamagedBytes)
  })

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
