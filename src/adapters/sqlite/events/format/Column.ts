import type { Value } from "../../../../domain/analytics/markers/Event.ts"
import { ByteReader, DamagedBytes } from "../bytes/ByteReader.ts"
import { ByteWriter } from "../bytes/ByteWriter.ts"
import { type ColumnDictionary, readColumnDictionary, writeColumnDictionary } from "../bytes/ColumnDictionary.ts"
import {
  readCodes,
  readDoubles,
  readIntegersAt,
  readScaled,
  readScaledAt,
  writeDoubles,
  writeIntegers
} from "../bytes/IntegerEncoding.ts"
import { largestExact } from "../bytes/Scalars.ts"

export const kind = { integers: 0, thousandths: 1, doubles: 2, codes: 3, hundredths: 4 } as const

/** A column whose present values are all numbers; NaN marks a missing one. */
export interface Numbers {
  readonly type: "numbers"
  readonly values: Float64Array
}

/** Each row holds 0 where there is no value, else 1 + the place of its value in the dictionary. */
export interface Codes {
  readonly type: "codes"
  readonly codes: Uint8Array | Uint16Array | Uint32Array
  readonly dictionary: ColumnDictionary
}

export type Column = Numbers | Codes

/** Bytes that the decoded column occupies; 32 are assumed for each dictionary entry. */
export const sizeOf = (column: Column): number =>
  column.type === "numbers" ? column.values.byteLength : column.codes.byteLength + column.dictionary.count * 32

export const valueAt = (column: Column, row: number): Value | undefined => {
  if (column.type === "codes") {
    const code = column.codes[row]!
    return code === 0 ? undefined : column.dictionary.value(code - 1)
  }
  const value = column.values[row]!
  return Number.isNaN(value) ? undefined : value
}

/** Whether any row has a value. */
export const hasValue = (column: Column): boolean =>
  column.type === "numbers"
    ? column.values.some((value) => !Number.isNaN(value))
    : column.codes.some((code: number) => code !== 0)

/** The codes in as few bytes as those from 0 to `count` need. */
export const narrow = (codes: Uint32Array, count: number): Codes["codes"] =>
  count < 256 ? new Uint8Array(codes) : count < 65_536 ? new Uint16Array(codes) : codes

/** The values times `scale`, rounded; null unless each is an integer that a float64 holds exactly, of which the value can be made again. */
const scaledBy = (scale: number, values: Float64Array): Float64Array | null => {
  const scaled = new Float64Array(values.length)
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!
    const integer = Math.round(value * scale)
    if (Math.abs(integer) > largestExact || (integer / scale !== value && !Number.isNaN(value))) return null
    scaled[row] = integer
  }
  return scaled
}

const writeScaled = (out: ByteWriter, scaled: Float64Array): void => {
  let low = Infinity
  for (let row = 0; row < scaled.length; row++) if (scaled[row]! < low) low = scaled[row]!
  const shift = 1 - (low === Infinity ? 0 : low)
  out.zigzag(shift)
  for (let row = 0; row < scaled.length; row++) scaled[row] = Number.isNaN(scaled[row]!) ? 0 : scaled[row]! + shift
  writeIntegers(out, scaled)
}

const scales = [
  [1, kind.integers],
  [100, kind.hundredths],
  [1000, kind.thousandths]
] as const

const writeNumbers = (out: ByteWriter, values: Float64Array): void => {
  for (const [scale, own] of scales) {
    const scaled = scaledBy(scale, values)
    if (scaled === null) continue
    out.u8(own)
    return writeScaled(out, scaled)
  }
  out.u8(kind.doubles)
  writeDoubles(out, values)
}

export const encodeColumn = (column: Column): Uint8Array => {
  const out = new ByteWriter(4096)
  if (column.type === "numbers") writeNumbers(out, column.values)
  else {
    out.u8(kind.codes)
    writeIntegers(out, column.codes)
    const { count } = column.dictionary
    writeColumnDictionary(
      out,
      Array.from({ length: count }, (_, index) => column.dictionary.value(index))
    )
  }
  return out.finish()
}

/** The numbers at the given places. `Float64Array.from` with a function takes ten times as long. */
export const numbersAt = (numbers: Float64Array | Uint32Array, places: Uint32Array): Float64Array => {
  const found = new Float64Array(places.length)
  for (let at = 0; at < found.length; at++) found[at] = numbers[places[at]!]!
  return found
}

/** The column of the given rows only. */
export const columnAt = (column: Column, rows: Uint32Array): Column =>
  column.type === "numbers"
    ? { type: "numbers", values: numbersAt(column.values, rows) }
    : { ...column, codes: rows.map((row) => column.codes[row]!) }

const readNumbers = (from: ByteReader, rows: number, scale: number): Numbers => {
  const shift = from.zigzag()
  return { type: "numbers", values: readScaled(from, rows, shift, scale) }
}

const readNumbersAt = (from: ByteReader, rows: number, scale: number, places: Uint32Array): Numbers => {
  const shift = from.zigzag()
  return { type: "numbers", values: readScaledAt(from, rows, places, shift, scale) }
}

/** Decodes only the given places of a stored column of `rows` rows. */
export const decodeColumnAt = (data: Uint8Array, rows: number, places: Uint32Array): Column => {
  const from = new ByteReader(data)
  switch (from.u8()) {
    case kind.integers:
      return readNumbersAt(from, rows, 1, places)
    case kind.hundredths:
      return readNumbersAt(from, rows, 100, places)
    case kind.thousandths:
      return readNumbersAt(from, rows, 1000, places)
    case kind.codes: {
      const codes = Uint32Array.from(readIntegersAt(from, rows, places))
      return { type: "codes", codes, dictionary: readColumnDictionary(from) }
    }
    default:
      return columnAt(decodeColumn(data, rows), places)
  }
}

export const decodeColumn = (data: Uint8Array, rows: number): Column => {
  const from = new ByteReader(data)
  switch (from.u8()) {
    case kind.integers:
      return readNumbers(from, rows, 1)
    case kind.hundredths:
      return readNumbers(from, rows, 100)
    case kind.thousandths:
      return readNumbers(from, rows, 1000)
    case kind.doubles:
      return { type: "numbers", values: readDoubles(from, rows) }
    case kind.codes: {
      const codes = readCodes(from, rows)
      const dictionary = readColumnDictionary(from)
      return { type: "codes", codes: narrow(codes, dictionary.count), dictionary }
    }
    default:
      throw new DamagedBytes("Unknown encoding of a column")
  }
}
