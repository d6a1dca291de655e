import { assert, describe, it } from "@effect/vitest"
import { ByteReader } from "../../../../../src/adapters/sqlite/events/bytes/ByteReader.ts"
import { ByteWriter } from "../../../../../src/adapters/sqlite/events/bytes/ByteWriter.ts"
import { decodeDay, encodeDay } from "../../../../../src/adapters/sqlite/events/format/ActiveDay.ts"
import {
  decodeColumn,
  decodeColumnAt,
  encodeColumn,
  valueAt
} from "../../../../../src/adapters/sqlite/events/format/Column.ts"
import { columnOf } from "../../../../support/analytics/ColumnOf.ts"
import { FrameDecoder } from "../../../../../src/adapters/sqlite/events/format/FrameDecoder.ts"
import { encodeFrame } from "../../../../../src/adapters/sqlite/events/format/FrameEncoder.ts"
import { keyBits, KeyFilter, keyHash } from "../../../../../src/adapters/sqlite/events/format/KeyFilter.ts"
import { FlatPage } from "../../../../../src/adapters/sqlite/events/format/FlatPage.ts"
import { KeyRunBuilder } from "../../../../../src/adapters/sqlite/events/format/KeyRun.ts"
import { decodeTailBatch, encodeTailBatch } from "../../../../../src/adapters/sqlite/events/format/TailBatch.ts"
import { readTimeIndex, writeTimeIndex } from "../../../../../src/adapters/sqlite/events/format/TimeIndex.ts"
import type { Event, Value } from "../../../../../src/domain/analytics/markers/Event.ts"

// The bytes stand in files that exist: an encoding may be added, but what one of these says may never change.

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")
const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "hex"))
const words = (numbers: Uint32Array): string => hex(new Uint8Array(numbers.buffer))

describe("A column of", () => {
  it.each<[string, ReadonlyArray<Value | undefined>, string]>([
    ["whole numbers", [3, undefined, -2], "00060301000306000100"],
    ["hundredths", [0.5, undefined, -1.25], "04fc0103010003b0000100"],
    ["thousandths", [0.5, undefined, 1.125], "01e507000a010020270000000000"],
    ["doubles", [0.1 + 0.2, undefined], "020010343333333333d33f000000000000f87f"],
    ["values of other kinds", ["x", undefined, true, "x"], "03000261000000000001020006010178000004"],
    ["nothing", [undefined, undefined], "0002030000"]
  ])("%s", (_, values, stored) => {
    assert.strictEqual(hex(encodeColumn(columnOf(values))), stored)
    const column = decodeColumn(bytesOf(stored), values.length)
    assert.deepStrictEqual(
      values.map((_value, row) => valueAt(column, row)),
      values
    )
    const rows = Uint32Array.from(values.keys()).reverse()
    const some = decodeColumnAt(bytesOf(stored), values.length, rows)
    assert.deepStrictEqual(
      values.map((_value, row) => valueAt(some, row)),
      [...values].reverse()
    )
  })
})

const ids = ["7b4a2f0c-9d1e-4a53-8c66-0e5b1f2a3d4c", "00112233-4455-6677-8899-aabbccddeeff"] as const
const receivedAt = 1_774_483_200_500

const event = (changes: Partial<Event>): Event => ({
  markerId: ids[1],
  type: "Level",
  unitId: "u1",
  sessionId: null,
  serverId: null,
  timestamp: 1_774_483_200_000,
  receivedAt,
  clamped: false,
  arguments: {},
  properties: {},
  position: null,
  ...changes
})

const events = [
  event({ arguments: { level: 3, a: "x" }, properties: { country: "DE" } }),
  event({
    markerId: ids[0],
    unitId: null,
    sessionId: "s1",
    serverId: "u1",
    timestamp: receivedAt + 1,
    clamped: true,
    position: [1, -2.5, 0.1 + 0.2]
  })
]

const frame = [
  ...["01000000", "02000000", "00409f0d77d27942"],
  ...["00112233445566778899aabbccddeeff", "7b4a2f0c9d1e4a538c660e5b1f2a3d4c"],
  ...["08", "054c6576656c", "0161", "056c6576656c", "07636f756e747279", "0253", "0178", "024445", "027331"]
].join("")

describe("A frame", () => {
  const stored =
    "010000000200000000409f0d77d2794200112233445566778899aabbccddeeff7b4a2f0c9d1e4a538c660e5b1f2a3d4c08054c6576656c0161056c6576656c07636f756e74727902753101780244450273310200020102010300000000e70705000000000501060006010200080503010202872703343333333333d33f"

  it("begins with its version, the number of markers, the instant of receipt and their ids", () =>
    assert.isTrue(stored.startsWith(frame.slice(0, 96))))

  it("is written like this", () => assert.strictEqual(hex(encodeFrame(receivedAt, events)), stored))

  it("is read from this", () => {
    const decoder = new FrameDecoder(bytesOf(stored))
    assert.deepStrictEqual(decoder.header, { count: 2, receivedAt })
    const text = (place: number) => (place === 0 ? null : decoder.text(place - 1))
    const first = decoder.next()
    assert.deepStrictEqual(first, { type: "Level", argumentNames: ["a", "level"], propertyNames: ["country"] })
    assert.deepStrictEqual([text(decoder.unit), text(decoder.session), text(decoder.server)], ["u1", null, null])
    assert.deepStrictEqual([decoder.timestamp, decoder.clamped, decoder.hasPosition], [receivedAt - 500, false, false])
    assert.deepStrictEqual([decoder.value(), decoder.value(), decoder.value()], ["x", 3, "DE"])
    assert.deepStrictEqual(decoder.next(), { type: "Level", argumentNames: [], propertyNames: [] })
    assert.deepStrictEqual([text(decoder.unit), text(decoder.session), text(decoder.server)], [null, "s1", "u1"])
    assert.deepStrictEqual([decoder.timestamp, decoder.clamped, decoder.hasPosition], [receivedAt + 1, true, true])
    assert.deepStrictEqual([decoder.x, decoder.y, decoder.z], [1, -2.5, 0.1 + 0.2])
  })

  it("tells a clamped marker from one with a position", () => {
    const clamped =
      "010000000100000000409f0d77d2794200112233445566778899aabbccddeeff02054c6576656c0275310100000000e70702000001"
    assert.strictEqual(hex(encodeFrame(receivedAt, [event({ clamped: true })])), clamped)
    const decoder = new FrameDecoder(bytesOf(clamped))
    decoder.next()
    assert.deepStrictEqual([decoder.clamped, decoder.hasPosition], [true, false])
  })

  it("of another version is refused", () =>
    assert.throws(() => new FrameDecoder(bytesOf(`02${stored.slice(2)}`)), /version 2/))
})

describe("The bytes of", () => {
  it("a batch of the tail", () => {
    const parts = [
      { environmentId: 1, firstSequence: 300, skipped: [1], frame: bytesOf("0908") },
      { environmentId: 200, firstSequence: 1, skipped: [], frame: bytesOf("07") }
    ]
    assert.strictEqual(hex(encodeTailBatch(parts)), "01ac020101020908c80101000107")
    assert.deepStrictEqual(decodeTailBatch(bytesOf("01ac020101020908c80101000107")), parts)
  })

  it("an index of times: quarter hours, and the first row of each", () => {
    const out = new ByteWriter(16)
    writeTimeIndex(out, Float64Array.of(-1, 0, 1, 899_999, 900_000, 5_400_000))
    assert.strictEqual(hex(out.finish()), "04010003480a0000000000000002740000000000")
    assert.deepStrictEqual(
      [...readTimeIndex(new ByteReader(bytesOf("04010003480a0000000000000002740000000000")))],
      [-1, 0, 1, 6, 0, 1, 4, 5]
    )
  })

  it("an active day: units, and a bit for each of their hours", () => {
    const day = Uint32Array.of(1, 1, 4, 0x800001, 9, 6)
    assert.strictEqual(hex(encodeDay(day)), "0302030100030003050000180000000000800500000000000002")
    assert.deepStrictEqual(decodeDay(bytesOf("0302030100030003050000180000000000800500000000000002")), day)
  })

  it("a run of marker ids: fences, a filter, pages of ids and the low bits of their sequences", () => {
    const builder = new KeyRunBuilder()
    builder.add(bytesOf(ids[0].replaceAll("-", "")), 0, 2 ** 32 + 5)
    builder.add(bytesOf(ids[1].replaceAll("-", "")), 0, 6)
    const run = builder.finish(1, 20_541)
    assert.deepStrictEqual([run.keys, run.firstSequence, run.lastSequence, run.layout], [2, 6, 2 ** 32 + 5, 1])
    assert.deepStrictEqual(run.pages.map(hex), [
      "00021e200000000600112233445566778899aabbccddeeff7b5b0d3fd94b2c2404ffa4e0d3f7d3b3" +
        "000000034ceb8dbaf800000007b732eca598a392283fffffffc0000088000000"
    ])
    assert.strictEqual(words(run.fences), "3322110077665544")
    assert.strictEqual(words(run.filter), "0040000800010000100000400080200000000840100000080000048000800010")
    const filter = new KeyFilter(
      new Uint32Array(bytesOf("0040000800010000100000400080200000000840100000080000048000800010").buffer)
    )
    const key = Uint32Array.of(0x7b4a2f0c, 0x9d1e4a53, 0x8c660e5b, 0x1f2a3d4c)
    const mayHave = (last: number) => {
      const hash = keyHash(key[0]!, key[1]!, key[2]!, last)
      return filter.mayHave(hash, keyBits(hash))
    }
    assert.isTrue(mayHave(key[3]!))
    assert.isFalse(mayHave(0))
  })

  it("a page of marker ids as builds of the formats 1 to 6 wrote it", () => {
    const page = new FlatPage(
      bytesOf("00112233445566778899aabbccddeeff000000067b4a2f0c9d1e4a538c660e5b1f2a3d4c00000005")
    )
    assert.deepStrictEqual([page.count, ...page.sequences()], [2, 6, 5])
    assert.deepStrictEqual([page.id(0), page.id(1)], [ids[1], ids[0]])
    assert.isTrue(page.has(Uint32Array.of(0x7b4a2f0c, 0x9d1e4a53, 0x8c660e5b, 0x1f2a3d4c)))
    assert.isFalse(page.has(Uint32Array.of(1, 2, 3, 4)))
  })
})
