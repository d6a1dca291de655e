import { assert, describe, it } from "@effect/vitest"
import { brotliDecompressSync } from "node:zlib"
import { ByteReader } from "../../../../../src/adapters/sqlite/events/bytes/ByteReader.ts"
import { ByteWriter } from "../../../../../src/adapters/sqlite/events/bytes/ByteWriter.ts"
import {
  readColumnDictionary,
  writeColumnDictionary
} from "../../../../../src/adapters/sqlite/events/bytes/ColumnDictionary.ts"
import { readBlock, writeBlock } from "../../../../../src/adapters/sqlite/events/bytes/CompressedBlock.ts"
import {
  placesOfCode,
  readCodes,
  readDifferences,
  readDifferencesAt,
  readIntegersAt,
  readScaled,
  readScaledAt,
  writeDifferences,
  writeIntegers
} from "../../../../../src/adapters/sqlite/events/bytes/IntegerEncoding.ts"
import { readName, storedName } from "../../../../../src/adapters/sqlite/events/bytes/MarkerId.ts"
import { readValue, writeValue } from "../../../../../src/adapters/sqlite/events/bytes/Scalars.ts"
import type { Value } from "../../../../../src/domain/analytics/markers/Event.ts"

// The bytes stand in files that exist: an encoding may be added, but what one of these says may never change.

const written = (write: (out: ByteWriter) => void): string => {
  const out = new ByteWriter(4)
  write(out)
  return Buffer.from(out.finish()).toString("hex")
}

const reader = (stored: string) => new ByteReader(new Uint8Array(Buffer.from(stored, "hex")))

const whole = <A>(stored: string, read: (from: ByteReader) => A): A => {
  const from = reader(stored)
  const value = read(from)
  assert.isTrue(from.atEnd)
  return value
}

const repeat = (text: string, count: number) => text.repeat(count)

describe("The bytes of", () => {
  it.each<[number, string]>([
    [0, "00"],
    [127, "7f"],
    [128, "8001"],
    [300, "ac02"],
    [2 ** 32, "8080808010"],
    [2 ** 53 - 1, "ffffffffffffff0f"]
  ])("an integer %d of any length", (value, stored) => {
    assert.strictEqual(
      written((out) => out.varint(value)),
      stored
    )
    assert.strictEqual(
      whole(stored, (from) => from.varint()),
      value
    )
  })

  it.each<[number, string]>([
    [0, "00"],
    [-1, "01"],
    [1, "02"],
    [-64, "7f"],
    [64, "8001"],
    [-(2 ** 40), "ffffffffff3f"]
  ])("an integer %d of either sign", (value, stored) => {
    assert.strictEqual(
      written((out) => out.zigzag(value)),
      stored
    )
    assert.strictEqual(
      whole(stored, (from) => from.zigzag()),
      value
    )
  })

  it.each<[string, string]>([
    ["", "00"],
    ["aé", "0361c3a9"],
    [repeat("x", 130), `8201${repeat("78", 130)}`]
  ])("a text %s", (value, stored) => {
    assert.strictEqual(
      written((out) => out.string(value)),
      stored
    )
    assert.strictEqual(
      whole(stored, (from) => from.string()),
      value
    )
  })

  it("numbers of a fixed size", () => {
    assert.strictEqual(
      written((out) => out.u32(0xfedcba98)),
      "98badcfe"
    )
    assert.strictEqual(
      whole("98badcfe", (from) => from.u32()),
      0xfedcba98
    )
    assert.strictEqual(
      written((out) => out.f64(-2.5)),
      "00000000000004c0"
    )
    assert.strictEqual(
      whole("00000000000004c0", (from) => from.f64()),
      -2.5
    )
  })

  it("a block, as it is or compressed", () => {
    const few = new Uint8Array([1, 2, 3])
    assert.strictEqual(
      written((out) => writeBlock(out, few)),
      "0003010203"
    )
    assert.deepStrictEqual(
      whole("0003010203", (from) => readBlock(from)),
      few
    )
    const same = new Uint8Array(64).fill(7)
    const from = reader(written((out) => writeBlock(out, same)))
    assert.strictEqual(from.u8(), 1)
    assert.deepStrictEqual(new Uint8Array(brotliDecompressSync(from.raw(from.varint()))), same)
    assert.isTrue(from.atEnd)
    assert.deepStrictEqual(new Uint8Array(whole("01138b1f0000200ed800ce71d67036800b7058ba01", readBlock)), same)
  })
})

/** Integers by the encoding they are stored in. */
const integers: ReadonlyArray<readonly [name: string, values: ReadonlyArray<number>, stored: string]> = [
  ["none", [], "030000"],
  ["all the same", [7, 7, 7], "03000e"],
  ["one byte plane, the least negative", [-1, 3], "03010002000401"],
  ["three bits", [2, 7, 4, 9, 6, 3, 8, 5, 2, 7, 4, 9, 6, 3, 8, 5, 2, 7, 4, 9], "0003a8ce78a8ce78a80e0000000004"],
  [
    "24 bits",
    [0, 4_793_491, 9_586_982, 14_380_473, 2_396_748, 7_190_239, 11_983_730, 5],
    "0018000000932449264992b96ddb4c9224dfb66d72dbb60500000000000000"
  ],
  ["four byte planes", [5, 2 ** 32 - 1, 2 ** 31], "0304000300fafb000300ffff000300ffff000300ff7f0a"],
  ["doubles", [2 ** 40, -1, 0], "0200180000000000007042000000000000f0bf0000000000000000"]
]

/** How builds of the formats 1 to 4 stored byte planes: in one block. */
const shuffled: typeof integers = [
  ["two byte planes in one block", [70_000, 70_000, 105_535], "010200060000cf00008ae0c508"],
  ["four byte planes in one block", [5, 2 ** 32 - 1, 2 ** 31], "0104000c00fafb00ffff00ffff00ff7f0a"]
]

describe("Integers stored as", () => {
  it.each(integers)("%s are written like this", (_, values, stored) => {
    assert.strictEqual(
      written((out) => writeIntegers(out, values)),
      stored
    )
  })

  it.each([...integers, ...shuffled])("%s are read from this", (_, values, stored) => {
    const places = Uint32Array.from(values.keys()).reverse()
    const backwards = [...values].reverse()
    assert.deepStrictEqual([...whole(stored, (from) => readIntegersAt(from, values.length, places))], backwards)
    const scaled = values.map((value) => (value === 0 ? NaN : (value - 2) / 1000))
    assert.deepStrictEqual([...whole(stored, (from) => readScaled(from, values.length, 2, 1000))], scaled)
    assert.deepStrictEqual(
      [...whole(stored, (from) => readScaledAt(from, values.length, places, 2, 1000))],
      [...scaled].reverse()
    )
    if (values.every((value) => value >= 0 && value < 2 ** 32)) {
      assert.deepStrictEqual([...whole(stored, (from) => readCodes(from, values.length))], values)
      for (const [place, value] of values.entries())
        assert.include(
          whole(stored, (from) => placesOfCode(from, values.length, value)),
          place
        )
    }
  })

  it.each<[ReadonlyArray<number>, string]>([
    [[], "00030000"],
    [[1_774_483_200_000, 1_774_483_200_000, 1_774_483_200_250], "80e086f7a467030100030000fa00"],
    [[5, 2 ** 41, 1], "0a020018000000000000000000b0ffffffff7f4200f0ffffffff7fc2"]
  ])("differences of %j", (values, stored) => {
    assert.strictEqual(
      written((out) => writeDifferences(out, values)),
      stored
    )
    assert.deepStrictEqual([...whole(stored, (from) => readDifferences(from, values.length))], values)
    const places = Uint32Array.from(values.keys()).reverse()
    assert.deepStrictEqual(
      [...whole(stored, (from) => readDifferencesAt(from, values.length, places))],
      [...values].reverse()
    )
  })
})

const ids = ["7b4a2f0c-9d1e-4a53-8c66-0e5b1f2a3d4c", "00112233-4455-6677-8899-aabbccddeeff"]

describe("Values stored in", () => {
  it.each<[string, ReadonlyArray<Value>, string]>([
    ["texts", ["", "é", "level"], "0003000a0002c3a9056c6576656c"],
    ["values of several kinds", ["x", 1, true, ["x", 2.5], false], "0105001001017800000102040602000002882705"],
    ["ids", ids, "020200207b4a2f0c9d1e4a538c660e5b1f2a3d4c00112233445566778899aabbccddeeff"],
    ["nothing", [], "00000000"]
  ])("a dictionary of %s", (_, values, stored) => {
    assert.strictEqual(
      written((out) => writeColumnDictionary(out, values)),
      stored
    )
    const dictionary = whole(stored, readColumnDictionary)
    assert.deepStrictEqual(
      Array.from({ length: dictionary.count }, (_, index) => dictionary.value(index)),
      values
    )
  })

  it.each<[Value, string]>([
    ["x", "0005"],
    [-3, "0105"],
    [0.25, "02f403"],
    [0.1 + 0.2, "03343333333333d33f"],
    [2 ** 51, "030000000000002043"],
    [true, "04"],
    [false, "05"],
    [["x", 7, true], "06030005010e04"]
  ])("a frame: %j", (value, stored) => {
    assert.strictEqual(
      written((out) => writeValue(out, value, () => 5)),
      stored
    )
    assert.deepStrictEqual(
      whole(stored, (from) => readValue(from, (reference) => (reference === 5 ? "x" : ""))),
      value
    )
  })

  it("a table of names: ids as 16 bytes, all others as text", () => {
    const stored = storedName(ids[0]!)
    assert.strictEqual(Buffer.from(stored as Uint8Array).toString("hex"), "7b4a2f0c9d1e4a538c660e5b1f2a3d4c")
    for (const name of [...ids, "u1", ids[0]!.toUpperCase()]) assert.strictEqual(readName(storedName(name)), name)
    assert.strictEqual(storedName(ids[0]!.toUpperCase()), ids[0]!.toUpperCase())
  })
})
