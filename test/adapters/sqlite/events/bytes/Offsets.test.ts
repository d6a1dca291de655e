import { assert, describe, it } from "@effect/vitest"
import { ByteReader } from "../../../../../src/adapters/sqlite/events/bytes/ByteReader.ts"
import { ByteWriter } from "../../../../../src/adapters/sqlite/events/bytes/ByteWriter.ts"
import {
  placesOfCode,
  readCodes,
  readDifferences,
  readIntegersAt,
  readScaled,
  readScaledAt,
  writeDifferences,
  writeIntegers,
  writeNearIntegers
} from "../../../../../src/adapters/sqlite/events/bytes/IntegerEncoding.ts"

// The bytes stand in files that exist: an encoding may be added, but what one of these says may never change.

type Write = (out: ByteWriter, values: ReadonlyArray<number>) => void

const written = (write: Write, values: ReadonlyArray<number>): string => {
  const out = new ByteWriter(4)
  write(out, values)
  return Buffer.from(out.finish()).toString("hex")
}

const whole = <A>(stored: string, read: (from: ByteReader) => A): A => {
  const from = new ByteReader(new Uint8Array(Buffer.from(stored, "hex")))
  const value = read(from)
  assert.isTrue(from.atEnd)
  return value
}

/** Of 64 rows, from which on rows without a value are left out, and rows that are near each other lie in frames. */
const sparse = Array.from({ length: 64 }, (_, row) => (row % 9 === 4 ? 1000 * (row + 1) : 0))
const near = Array.from({ length: 130 }, (_, row) => (row % 50 === 49 ? row * 9 : 500_000 + row * 3 + ((row * 7) % 5)))

describe.each<[string, Write, ReadonlyArray<number>, string]>([
  ["without zeros", writeIntegers, sparse, "040008102040800001020400108813b036d859007d28a050c378e60000000000"],
  [
    "in frames",
    writeNearIntegers,
    near,
    "050800050a0a0f0f1419191e1e2328282d2d3237373c3c4146464b4b5055555a5a5f646469696e737378787d828287878c919100969ba0a0a5a5aaafafb4b4b9bebe0000050a0a0f0f1419191e1e2328282d2d3237373c3c4146464b4b5055555a5a5f646400696e737378787d828287878c919196969ba0a0a5a5aaafafb4b4b9be0005000000000013679f57013d3ae8010000000002030100023132000900840300000000f206"
  ]
])("Integers %s", (_, write, values, stored) => {
  it("are written like this", () => assert.strictEqual(written(write, values), stored))

  it("are read from this, all of them, some, as codes and as numbers", () => {
    const places = Uint32Array.from(values.keys()).reverse()
    assert.deepStrictEqual([...whole(stored, (from) => readCodes(from, values.length))], values)
    assert.deepStrictEqual(
      [...whole(stored, (from) => readIntegersAt(from, values.length, places))],
      values.toReversed()
    )
    const scaled = values.map((value) => (value === 0 ? NaN : (value - 2) / 100))
    assert.deepStrictEqual([...whole(stored, (from) => readScaled(from, values.length, 2, 100))], scaled)
    assert.deepStrictEqual(
      [...whole(stored, (from) => readScaledAt(from, values.length, places, 2, 100))],
      scaled.toReversed()
    )
    for (const code of new Set([...values, 7]))
      assert.deepStrictEqual(
        whole(stored, (from) => placesOfCode(from, values.length, code)),
        values.flatMap((value, row) => (value === code ? [row] : []))
      )
  })
})

describe("Differences most of which are 0", () => {
  it("are without zeros too", () => {
    const values = Array.from({ length: 300 }, (_, row) => 1000 + Math.floor(row / 20) * 77)
    const stored = written(writeDifferences, values)
    assert.strictEqual(stored.slice(0, 6), "d00f04")
    assert.deepStrictEqual([...whole(stored, (from) => readDifferences(from, values.length))], values)
  })
})
