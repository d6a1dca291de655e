import {
  bitsAt,
  bitsFor,
  joinPlanes,
  packBits,
  placesInBits,
  placesInPlanes,
  planeOf,
  unpackBits
} from "./BitPacking.ts"
import { type ByteReader, DamagedBytes } from "./ByteReader.ts"
import { ByteWriter } from "./ByteWriter.ts"
import { readBlock, keptShare, writeBlock } from "./CompressedBlock.ts"

/** `shuffled` (all byte planes in one block) is no longer written, but files that contain it must stay readable. */
export const form = { bits: 0, shuffled: 1, doubles: 2, planes: 3 } as const

/** Compresses each byte plane on its own: planes that look random stay uncompressed and cost nothing to read. */
const writeOffsets = (out: ByteWriter, offsets: Uint32Array, width: number): void => {
  const planes = Math.ceil(width / 8)
  const packed = new ByteWriter(offsets.length * planes + 32)
  for (let plane = 0; plane < planes; plane++) writeBlock(packed, planeOf(offsets, plane))
  const bits = width > 24 ? Infinity : Math.ceil((offsets.length * width) / 8) + 4
  if (packed.length < bits * keptShare || bits === Infinity) {
    out.u8(form.planes)
    out.u8(planes)
    out.raw(packed.bytes.subarray(0, packed.length))
  } else {
    out.u8(form.bits)
    out.u8(width)
    out.raw(packBits(offsets, width))
  }
}

/**
 * Writes integers as offsets from the smallest: bit-packed, or as byte planes where these are 15 % smaller. Ranges over
 * 32 bits become doubles.
 */
export const writeIntegers = (out: ByteWriter, values: ArrayLike<number>): void => {
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
  writeOffsets(out, offsets, width)
  out.zigzag(low)
}

/** The byte planes of `count` offsets, the lowest plane first. */
const readPlanes = (from: ByteReader, kind: number, count: number): ReadonlyArray<Uint8Array> => {
  const planes = from.u8()
  if (planes > 4) throw new DamagedBytes("Stored integers are not as many as the rows they belong to")
  if (kind === form.shuffled) {
    const bytes = readBlock(from, planes * count)
    if (bytes.length !== planes * count)
      throw new DamagedBytes("Stored integers are not as many as the rows they belong to")
    return Array.from({ length: planes }, (_, plane) => bytes.subarray(plane * count, (plane + 1) * count))
  }
  if (kind !== form.planes) throw new DamagedBytes(`Unknown encoding ${kind} of integers`)
  return Array.from({ length: planes }, () => {
    const bytes = readBlock(from, count)
    if (bytes.length !== count) throw new DamagedBytes("Stored integers are not as many as the rows they belong to")
    return bytes
  })
}

const readBits = (from: ByteReader, count: number): { readonly width: number; readonly bytes: Uint8Array } => {
  const width = from.u8()
  if (width > 24) throw new DamagedBytes(`Unknown width of ${width} bits for packed integers`)
  return { width, bytes: from.raw(Math.ceil((count * width) / 8) + 4) }
}

const readOffsets = (from: ByteReader, kind: number, offsets: Uint32Array): void => {
  if (kind === form.bits) {
    const { width, bytes } = readBits(from, offsets.length)
    unpackBits(bytes, width, offsets)
  } else joinPlanes(readPlanes(from, kind, offsets.length), offsets)
}

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

/** The offsets of the answer share one scratch buffer: the next call overwrites them. */
const readStored = (from: ByteReader, count: number): Integers => {
  const kind = from.u8()
  if (kind === form.doubles) return { type: "doubles", values: readDoubles(from, count) }
  if (scratch.length < count) scratch = new Uint32Array(count)
  const offsets = scratch.subarray(0, count)
  readOffsets(from, kind, offsets)
  return { type: "offsets", offsets, low: from.zigzag() }
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

export { readDoubles }
