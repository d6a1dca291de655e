import { crc32 } from "node:zlib"
import { ActiveHours } from "../format/ActiveDay.ts"
import { ByteWriter } from "../bytes/ByteWriter.ts"
import { type Column, encodeColumn } from "../format/Column.ts"
import { Control } from "../read/Control.ts"
import { Dictionary } from "../file/Dictionary.ts"
import { columnName } from "../format/ColumnName.ts"
import type { Db } from "../file/Db.ts"
import { openForWriting } from "../file/EventsDb.ts"
import { columnDictionaryOf } from "../bytes/ColumnDictionary.ts"
import { writeDifferences, writeIntegers } from "../bytes/IntegerEncoding.ts"
import { Reader } from "./Reader.ts"
import { warmUpQuestions, range, types } from "./JitWarmUpPlans.ts"
import type { EncodedColumn } from "../format/SegmentEncoder.ts"
import { Segments } from "../file/Segments.ts"
import { StoredActivity } from "../file/StoredActivity.ts"
import { writeTimeIndex } from "../format/TimeIndex.ts"

const rows = 8192
const units = 1500
const rounds = 4

const encoded = (name: string, data: Uint8Array): EncodedColumn => ({ name, data, checksum: crc32(data) })

const packed = (name: string, write: (out: ByteWriter) => void): EncodedColumn => {
  const out = new ByteWriter(rows * 4)
  write(out)
  return encoded(name, out.finish())
}

/** Deterministic numbers: scattered ones, which do not compress, or a repeating pattern, which does. */
const noiseOf = (isScattered: boolean) =>
  Uint32Array.from({ length: rows }, (_, row) =>
    isScattered ? Math.imul(row + 1, 2_654_435_761) >>> 8 : (row % 71) * 97
  )

const numbers = (noise: Uint32Array, valueOf: (own: number) => number): Column => ({
  type: "numbers",
  values: Float64Array.from(noise, valueOf)
})

const texts = (noise: Uint32Array, count: number): Column => ({
  type: "codes",
  codes:
    count < 256 ? Uint8Array.from(noise, (own) => own % (count + 1)) : Uint16Array.from(noise, (own) => own % count),
  dictionary: columnDictionaryOf(Array.from({ length: count }, (_, at) => `t${at}`))
})

const times = Float64Array.from(
  { length: rows },
  (_, row) => range.from + Math.floor((row * (range.to - range.from)) / rows)
)
const idsOf = (noise: Uint32Array) => noise.map((own) => 1 + (own % units))

const values: ReadonlyArray<readonly [name: string, column: (noise: Uint32Array) => Column]> = [
  [columnName.argument("whole"), (noise) => numbers(noise, (own) => own % 100)],
  [columnName.argument("part"), (noise) => numbers(noise, (own) => (own % 9999) / 100)],
  [columnName.argument("text"), (noise) => texts(noise, 300)],
  [columnName.property("text"), (noise) => texts(noise, 5)],
  [columnName.x, (noise) => numbers(noise, (own) => (own % 4 === 0 ? (own % 1009) / 3 : NaN))],
  [columnName.y, (noise) => numbers(noise, (own) => (own % 4 === 0 ? (own % 5000) / 100 : NaN))],
  [columnName.z, (noise) => numbers(noise, (own) => (own % 4 === 0 ? (own % 9999) / 10 : NaN))]
]

function* encodedColumns(noise: Uint32Array): Generator<void, ReadonlyArray<EncodedColumn>> {
  const columns = [packed("time", (out) => writeDifferences(out, times))]
  yield
  columns.push(
    packed("sequence", (out) =>
      writeDifferences(
        out,
        times.map((_, row) => row + 1)
      )
    )
  )
  yield
  columns.push(packed("unit", (out) => writeIntegers(out, idsOf(noise))))
  columns.push(packed("session", (out) => writeIntegers(out, noise)))
  for (const [name, column] of values) {
    yield
    columns.push(encoded(name, encodeColumn(column(noise))))
  }
  columns.push(packed(columnName.quarter, (out) => writeTimeIndex(out, times)))
  return columns
}

/** An in-memory event file of made-up markers, with two segments for each type. */
function* warmUpStore(): Generator<void, Db> {
  const db = openForWriting(":memory:")
  yield
  const [segments, dictionary, hours] = [new Segments(db), new Dictionary(db, "unit"), new ActiveHours()]
  const [firstTimestamp, lastTimestamp] = [times[0]!, times[rows - 1]!]
  for (const isScattered of [true, false]) {
    const noise = noiseOf(isScattered)
    const columns = yield* encodedColumns(noise)
    const segment = { environmentId: 1, rows, firstTimestamp, lastTimestamp, lastSequence: rows, columns }
    for (const type of types) segments.insert({ ...segment, type })
    const ids = idsOf(noise)
    for (let row = 0; row < rows; row++) hours.add(ids[row]!, times[row]!)
    yield
  }
  new StoredActivity(db).save(1, hours)
  dictionary.idOf(1, "u")
  dictionary.save()
  return db
}

/**
 * Asks every common kind of question of made-up markers a few times, so that V8 has compiled the scans before a
 * thread's first real question. Yields after each of them, so that a real question can go first.
 */
export function* warmUp(): Generator<void, void> {
  const db = yield* warmUpStore()
  yield
  for (let round = 0; round < rounds; round++) {
    const reader = new Reader(db, { cacheBytes: 8_000_000 })
    for (const question of warmUpQuestions) {
      reader.reply({ type: "ask", id: 0, environmentId: 1, question, control: new Control().shared })
      yield
    }
  }
  db.close()
}
