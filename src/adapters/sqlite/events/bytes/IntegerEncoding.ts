import { bitsAt, bitsFor, placesInBits, placesInPlanes } from "./BitPacking.ts"
import { type ByteReader, DamagedBytes } from "./ByteReader.ts"
import type { ByteWriter } from "./ByteWriter.ts"
import { readBlock, writeBlock } from "./CompressedBlock.ts"
import { form, isDirect, readBits, readOffsets, readPlanes, writeNearOffsets, writeOffsets } from "./IntegerOffsets.ts"

type WriteOffsets = (out: ByteWriter, offsets: Uint32Array, width: number) => void

/**
 * Writes integers as offsets from the smallest: bit-packed, or as byte planes where these are 15 % smaller, without zeros where
 * these are many. Ranges over 32 bits become doubles.
 */
export const writeIntegers = (out: ByteWriter, values: ArrayLike<number>, write: WriteOffsets = writeOffsets): void => {
  let low = values.length === 0 ? 0 : Infinity
  let high = low === 0 ? 0 : -Infinity
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!
    if (value < low) low = value
    if (value > high) high = value
  }
  const width = bitsFor(high - low)
  if (width > 32) {
    out.u8(form.doubles)
    const doubles = Float64Array.from(values)
    return writeBlock(out, new Uint8Array(doubles.buffer))
  }
  const offsets = new Uint32Array(values.length)
  for (let index = 0; index < values.length; index++) offsets[index] = values[index]! - low
  write(out, offsets, width)
  out.zigzag(low)
}

/** `writeIntegers` for integers most of which are near those around them. */
export const writeNearIntegers = (out: ByteWriter, values: ArrayLike<number>): void =>
  writeIntegers(out, values, writeNearOffsets)

const codesAsDoubles = "Codes or numbers of units are stored as float64, which only values may be"

const readDoubles = (from: ByteReader, count: number): Float64Array => {
  const bytes = readBlock(from, count * 8)
  if (bytes.length !== count * 8) throw new DamagedBytes("Stored integers are not as many as the rows they belong to")
  return new Float64Array(new Uint8Array(bytes).buffer)
}

/** Integers as they are stored: doubles, or offsets from the smallest (`low`). */
type Integers =
  | { readonly type: "doubles"; readonly values: Float64Array }
  | { readonly type: "offsets"; readonly offsets: Uint32Array; readonly low: number }

let scratch = new Uint32Array(0)

/** The offsets share one scratch buffer: the next call overwrites them. */
const readStoredOffsets = (from: ByteReader, count: number, kind: number) => {
  if (scratch.length < count) scratch = new Uint32Array(count)
  const offsets = scratch.subarray(0, count)
  readOffsets(from, kind, offsets)
  return { offsets, low: from.zigzag() }
}

/** As with `readStoredOffsets`, the next call overwrites offsets. */
const readStored = (from: ByteReader, count: number, kind = from.u8()): Integers => {
  return kind === form.doubles
    ? { type: "doubles", values: readDoubles(from, count) }
    : { type: "offsets", ...readStoredOffsets(from, count, kind) }
}

/** Reads `count` integers of up to 53 bits. */
export const readIntegers = (from: ByteReader, count: number): Float64Array => {
  const stored = readStored(from, count)
  if (stored.type === "doubles") return stored.values
  const { offsets, low } = stored
  const values = new Float64Array(count)
  for (let index = 0; index < count; index++) values[index] = offsets[index]! + low
  return values
}

/**
 * Reads `count` numbers stored as the integers `number * scale + shift`; the integer 0 encodes a missing value, which
 * becomes NaN.
 */
export const readScaled = (from: ByteReader, count: number, shift: number, scale: number): Float64Array => {
  const stored = readStored(from, count)
  const values = new Float64Array(count)
  if (stored.type === "doubles")
    for (let index = 0; index < count; index++) values[index] = scaled(stored.values[index]!, shift, scale)
  else scaleOffsets(stored.offsets, stored.low, shift, scale, values)
  return values
}

const scaled = (integer: number, shift: number, scale: number): number =>
  integer === 0 ? NaN : (integer - shift) / scale

const scaleOffsets = (offsets: Uint32Array, low: number, shift: number, scale: number, values: Float64Array): void => {
  const base = low - shift
  if (scale === 1) for (let index = 0; index < values.length; index++) values[index] = offsets[index]! + base
  else for (let index = 0; index < values.length; index++) values[index] = (offsets[index]! + base) / scale
  // 0 encodes a missing value, so it can only occur when the stored minimum is 0.
  if (low === 0) for (let index = 0; index < values.length; index++) if (offsets[index] === 0) values[index] = NaN
}

/** Of `count` stored integers, only those at the given places. */
export const readIntegersAt = (from: ByteReader, count: number, places: Uint32Array): Float64Array => {
  const kind = from.u8()
  if (kind === form.doubles) {
    const values = readDoubles(from, count)
    return Float64Array.from(places, (place) => values[place]!)
  }
  const found = new Float64Array(places.length)
  if (!isDirect(kind)) {
    const { offsets, low } = readStoredOffsets(from, count, kind)
    for (let at = 0; at < places.length; at++) found[at] = offsets[places[at]!]! + low
    return found
  }
  if (kind === form.bits) {
    const { width, bytes } = readBits(from, count)
    for (let at = 0; at < places.length; at++) found[at] = bitsAt(bytes, width, places[at]!)
  } else {
    for (const [plane, bytes] of readPlanes(from, kind, count).entries()) {
      const weight = 256 ** plane
      for (let at = 0; at < places.length; at++) found[at]! += bytes[places[at]!]! * weight
    }
  }
  const low = from.zigzag()
  for (let at = 0; at < found.length; at++) found[at]! += low
  return found
}

/** The places, ascending, at which one of `count` stored integers known to be codes stands. */
export const placesOfCode = (from: ByteReader, count: number, code: number): Array<number> => {
  const kind = from.u8()
  if (kind === form.doubles) throw new DamagedBytes(codesAsDoubles)
  if (!isDirect(kind)) {
    const { offsets, low } = readStoredOffsets(from, count, kind)
    const found: Array<number> = []
    for (let at = 0; at < count; at++) if (offsets[at]! + low === code) found.push(at)
    return found
  }
  const stored = kind === form.bits ? readBits(from, count) : { planes: readPlanes(from, kind, count) }
  const wanted = code - from.zigzag()
  return "planes" in stored
    ? placesInPlanes(stored.planes, count, wanted)
    : placesInBits(stored.bytes, stored.width, count, wanted)
}

/** `readScaled` at the given places only. */
export const readScaledAt = (
  from: ByteReader,
  count: number,
  places: Uint32Array,
  shift: number,
  scale: number
): Float64Array => {
  const values = readIntegersAt(from, count, places)
  for (let at = 0; at < values.length; at++) values[at] = scaled(values[at]!, shift, scale)
  return values
}

/** Reads `count` integers known to lie in 0 .. 2^32 - 1. */
export const readCodes = (from: ByteReader, count: number): Uint32Array => {
  const kind = from.u8()
  if (kind === form.doubles) throw new DamagedBytes(codesAsDoubles)
  const codes = new Uint32Array(count)
  readOffsets(from, kind, codes)
  const low = from.zigzag()
  if (low !== 0) for (let index = 0; index < count; index++) codes[index]! += low
  return codes
}

/** Writes a slowly growing column as the differences between neighbours. */
export const writeDifferences = (out: ByteWriter, values: ArrayLike<number>): void => {
  const differences = new Float64Array(values.length)
  for (let index = 1; index < values.length; index++) differences[index] = values[index]! - values[index - 1]!
  out.zigzag(values.length === 0 ? 0 : values[0]!)
  writeIntegers(out, differences)
}

export const readDifferences = (from: ByteReader, count: number): Float64Array => {
  let sum = from.zigzag()
  const stored = readStored(from, count)
  const differences = stored.type === "doubles" ? stored.values : stored.offsets
  const low = stored.type === "doubles" ? 0 : stored.low
  const values = new Float64Array(count)
  for (let index = 0; index < count; index++) {
    sum += differences[index]! + low
    values[index] = sum
  }
  return values
}

/** `readDifferences` at the given places only, in any order. */
export const readDifferencesAt = (from: ByteReader, count: number, places: Uint32Array): Float64Array => {
  let sum = from.zigzag()
  const stored = readStored(from, count)
  const differences = stored.type === "doubles" ? stored.values : stored.offsets
  const low = stored.type === "doubles" ? 0 : stored.low
  const found = new Float64Array(places.length)
  let row = 0
  for (const at of Uint32Array.from(places.keys()).sort((a, b) => places[a]! - places[b]!)) {
    for (; row <= places[at]!; row++) sum += differences[row]! + low
    found[at] = sum
  }
  return found
}

export const writeDoubles = (out: ByteWriter, values: Float64Array): void =>
  writeBlock(out, new Uint8Array(values.buffer, values.byteOffset, values.byteLength))

export { form, readDoubles }
