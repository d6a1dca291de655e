import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib"
import { type ByteReader, DamagedBytes } from "./ByteReader.ts"
import type { ByteWriter } from "./ByteWriter.ts"

const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const worthwhile = 0.85

const form = { bits: 0, shuffled: 1, doubles: 2 } as const

/** Writes bytes, compressed when that saves 15 %. */
export const writeBlock = (out: ByteWriter, bytes: Uint8Array): void => {
  const compressed = bytes.length < 64 ? bytes : brotliCompressSync(bytes, quality)
  const isSmaller = compressed.length < bytes.length * worthwhile
  out.u8(isSmaller ? 1 : 0)
  out.varint(isSmaller ? compressed.length : bytes.length)
  out.raw(isSmaller ? compressed : bytes)
}

/** `size` is that of the bytes, if it is known, so that they come in one piece. */
export const readBlock = (from: ByteReader, size?: number): Uint8Array => {
  const isCompressed = from.u8() === 1
  const stored = from.raw(from.varint())
  return isCompressed ? brotliDecompressSync(stored, { chunkSize: (size ?? stored.length * 4) + 64 }) : stored
}

const bitsFor = (range: number): number => (range === 0 ? 0 : Math.floor(Math.log2(range)) + 1)

const packBits = (offsets: Uint32Array, width: number): Uint8Array => {
  const bytes = new Uint8Array(Math.ceil((offsets.length * width) / 8) + 4)
  for (let index = 0, bit = 0; index < offsets.length; index++, bit += width) {
    const shifted = offsets[index]! << (bit & 7)
    const at = bit >>> 3
    bytes[at]! |= shifted
    bytes[at + 1]! |= shifted >>> 8
    bytes[at + 2]! |= shifted >>> 16
    bytes[at + 3]! |= shifted >>> 24
  }
  return bytes
}

/** `bytes` end with four more than the bits need. */
const unpackBits = (bytes: Uint8Array, width: number, into: Uint32Array): void => {
  const words = new Uint32Array((bytes.length + 7) >>> 2)
  new Uint8Array(words.buffer).set(bytes)
  const mask = 2 ** width - 1
  for (let index = 0, bit = 0; index < into.length; index++, bit += width) {
    const at = bit >>> 5
    const shift = bit & 31
    into[index] = ((words[at]! >>> shift) | ((words[at + 1]! << 1) << (31 - shift))) & mask
  }
}

const shuffle = (offsets: Uint32Array, planes: number): Uint8Array => {
  const bytes = new Uint8Array(offsets.length * planes)
  for (let plane = 0; plane < planes; plane++)
    for (let index = 0; index < offsets.length; index++)
      bytes[plane * offsets.length + index] = offsets[index]! >>> (plane * 8)
  return bytes
}

const unshuffle = (bytes: Uint8Array, planes: number, into: Uint32Array): void => {
  const length = into.length
  if (planes === 1) into.set(bytes)
  else if (planes === 2)
    for (let index = 0; index < length; index++) into[index] = bytes[index]! | (bytes[length + index]! << 8)
  else if (planes === 3)
    for (let index = 0; index < length; index++)
      into[index] = bytes[index]! | (bytes[length + index]! << 8) | (bytes[2 * length + index]! << 16)
  else
    for (let index = 0; index < length; index++)
      into[index] =
        bytes[index]! |
        (bytes[length + index]! << 8) |
        (bytes[2 * length + index]! << 16) |
        (bytes[3 * length + index]! << 24)
}

const writeOffsets = (out: ByteWriter, offsets: Uint32Array, width: number): void => {
  const planes = Math.ceil(width / 8)
  const shuffled = shuffle(offsets, planes)
  const compressed = shuffled.length < 64 ? shuffled : brotliCompressSync(shuffled, quality)
  const bits = width > 24 ? Infinity : Math.ceil((offsets.length * width) / 8) + 4
  if (compressed.length < bits * worthwhile || bits === Infinity) {
    out.u8(form.shuffled)
    out.u8(planes)
    writeBlock(out, shuffled)
  } else {
    out.u8(form.bits)
    out.u8(width)
    out.raw(packBits(offsets, width))
  }
}

/** Writes integers as offsets from the least one: bit-packed, or byte planes compressed when that saves 15 %. */
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

const readOffsets = (from: ByteReader, kind: number, offsets: Uint32Array): void => {
  if (kind === form.bits) {
    const width = from.u8()
    if (width > 24) throw new DamagedBytes(`Unknown width ${width}`)
    unpackBits(from.raw(Math.ceil((offsets.length * width) / 8) + 4), width, offsets)
  } else if (kind === form.shuffled) {
    const planes = from.u8()
    const bytes = readBlock(from, planes * offsets.length)
    if (planes > 4 || bytes.length !== planes * offsets.length) throw new DamagedBytes("A column has the wrong length")
    unshuffle(bytes, planes, offsets)
  } else throw new DamagedBytes(`Unknown form ${kind}`)
}

const readDoubles = (from: ByteReader, count: number): Float64Array => {
  const bytes = readBlock(from, count * 8)
  if (bytes.length !== count * 8) throw new DamagedBytes("A column has the wrong length")
  return new Float64Array(new Uint8Array(bytes).buffer)
}

/** Integers of any size as they are stored: doubles, or offsets from the least one. */
type Integers =
  | { readonly type: "doubles"; readonly values: Float64Array }
  | { readonly type: "offsets"; readonly offsets: Uint32Array; readonly low: number }

const readStored = (from: ByteReader, count: number): Integers => {
  const kind = from.u8()
  if (kind === form.doubles) return { type: "doubles", values: readDoubles(from, count) }
  const offsets = new Uint32Array(count)
  readOffsets(from, kind, offsets)
  return { type: "offsets", offsets, low: from.zigzag() }
}

/** Reads `count` integers of any size. */
export const readIntegers = (from: ByteReader, count: number): Float64Array => {
  const stored = readStored(from, count)
  if (stored.type === "doubles") return stored.values
  const { offsets, low } = stored
  const values = new Float64Array(count)
  for (let index = 0; index < count; index++) values[index] = offsets[index]! + low
  return values
}

/** Reads `count` integers that stand for (integer - shift) / scale, 0 for none, which becomes NaN. */
export const readScaled = (from: ByteReader, count: number, shift: number, scale: number): Float64Array => {
  const stored = readStored(from, count)
  const integers = stored.type === "doubles" ? stored.values : stored.offsets
  const low = stored.type === "doubles" ? 0 : stored.low
  const values = new Float64Array(count)
  for (let index = 0; index < count; index++) {
    const integer = integers[index]! + low
    values[index] = integer === 0 ? NaN : (integer - shift) / scale
  }
  return values
}

/** Reads `count` integers known to lie in 0 .. 2^32 - 1. */
export const readCodes = (from: ByteReader, count: number): Uint32Array => {
  const kind = from.u8()
  if (kind === form.doubles) throw new DamagedBytes("Codes are too large")
  const codes = new Uint32Array(count)
  readOffsets(from, kind, codes)
  const low = from.zigzag()
  if (low !== 0) for (let index = 0; index < count; index++) codes[index]! += low
  return codes
}

/** Writes a column of numbers that grows slowly as differences. */
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

export const writeDoubles = (out: ByteWriter, values: Float64Array): void =>
  writeBlock(out, new Uint8Array(values.buffer, values.byteOffset, values.byteLength))

export { readDoubles }
