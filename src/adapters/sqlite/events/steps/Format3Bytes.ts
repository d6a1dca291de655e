import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib"

// Frozen: how the formats 1 to 3 write integers. The step to format 3 reads segments and writes active days with it.

const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const worthwhile = 0.85
const bits = 0
const shuffled = 1
const doubles = 2

/** Reads the bytes of a column from the front. */
export class Format3Reader {
  private readonly bytes: Uint8Array
  private offset = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** LEB128. */
  varint(): number {
    let byte = this.u8()
    let value = byte & 127
    for (let scale = 128; byte > 127; scale *= 128) {
      byte = this.u8()
      value += (byte & 127) * scale
    }
    return value
  }

  zigzag(): number {
    const value = this.varint()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }

  integers(count: number): Float64Array {
    const form = this.u8()
    if (form === doubles) return new Float64Array(this.block(count * 8).slice().buffer)
    if (form !== bits && form !== shuffled) throw new Error(`Unknown form ${form}`)
    const offsets = form === bits ? this.packed(count) : this.planes(count)
    const low = this.zigzag()
    return offsets.map((offset) => offset + low)
  }

  /** Integers of which the differences are stored, after the first. */
  differences(count: number): Float64Array {
    let sum = this.zigzag()
    return this.integers(count).map((difference) => (sum += difference))
  }

  private u8(): number {
    return this.raw(1)[0]!
  }

  private raw(length: number): Uint8Array {
    const end = this.offset + length
    if (end > this.bytes.length) throw new Error("The bytes end too early")
    const bytes = this.bytes.subarray(this.offset, end)
    this.offset = end
    return bytes
  }

  private block(length: number): Uint8Array {
    const isCompressed = this.u8() === 1
    const stored = this.raw(this.varint())
    const bytes = isCompressed ? new Uint8Array(brotliDecompressSync(stored)) : stored
    if (bytes.length !== length) throw new Error("A column has the wrong length")
    return bytes
  }

  private packed(count: number): Float64Array {
    const width = this.u8()
    if (width > 24) throw new Error(`Unknown width ${width}`)
    const bytes = this.raw(Math.ceil((count * width) / 8) + 4)
    return Float64Array.from({ length: count }, (_, index) => {
      const bit = index * width
      const at = Math.floor(bit / 8)
      const word = bytes[at]! + bytes[at + 1]! * 2 ** 8 + bytes[at + 2]! * 2 ** 16 + bytes[at + 3]! * 2 ** 24
      return Math.floor(word / 2 ** (bit % 8)) % 2 ** width
    })
  }

  private planes(count: number): Float64Array {
    const planes = this.u8()
    const bytes = this.block(planes * count)
    const offsets = new Float64Array(count)
    for (let plane = 0; plane < planes; plane++)
      for (let index = 0; index < count; index++) offsets[index]! += bytes[plane * count + index]! * 256 ** plane
    return offsets
  }
}

const varint = (value: number): Uint8Array => {
  const bytes: Array<number> = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  return Uint8Array.of(...bytes, rest)
}

const zigzag = (value: number): Uint8Array => varint(value < 0 ? -value * 2 - 1 : value * 2)

const byte = (value: number): Uint8Array => Uint8Array.of(value)

const compressed = (bytes: Uint8Array): Uint8Array => (bytes.length < 64 ? bytes : brotliCompressSync(bytes, quality))

const block = (bytes: Uint8Array): Uint8Array => {
  const smaller = compressed(bytes)
  return smaller.length < bytes.length * worthwhile
    ? Buffer.concat([byte(1), varint(smaller.length), smaller])
    : Buffer.concat([byte(0), varint(bytes.length), bytes])
}

const packBits = (offsets: Float64Array, width: number): Uint8Array => {
  const bytes = new Uint8Array(Math.ceil((offsets.length * width) / 8) + 4)
  for (const [index, offset] of offsets.entries()) {
    const bit = index * width
    const at = Math.floor(bit / 8)
    const shifted = offset * 2 ** (bit % 8)
    for (let place = 0; place < 4; place++) bytes[at + place]! |= Math.floor(shifted / 256 ** place) % 256
  }
  return bytes
}

/** Integers from 0 to 2^32 - 1, as the formats 1 to 4 write them. */
export const integersOfFormat3 = (values: Float64Array): Uint8Array => {
  const low = values.reduce((least, value) => Math.min(least, value), values[0] ?? 0)
  const high = values.reduce((most, value) => Math.max(most, value), low)
  const width = high === low ? 0 : Math.floor(Math.log2(high - low)) + 1
  const offsets = values.map((value) => value - low)
  const planes = Math.ceil(width / 8)
  const bytes = new Uint8Array(planes * offsets.length)
  for (let plane = 0; plane < planes; plane++)
    for (const [index, offset] of offsets.entries())
      bytes[plane * offsets.length + index] = Math.floor(offset / 256 ** plane) % 256
  const bitBytes = Math.ceil((offsets.length * width) / 8) + 4
  return width > 24 || compressed(bytes).length < bitBytes * worthwhile
    ? Buffer.concat([byte(shuffled), byte(planes), block(bytes), zigzag(low)])
    : Buffer.concat([byte(bits), byte(width), packBits(offsets, width), zigzag(low)])
}

/** An active day: how many units, the differences of their numbers, and a bit for each hour they have markers in. */
export const dayOfFormat3 = (units: Float64Array, hours: Float64Array): Uint8Array =>
  Buffer.concat([
    varint(units.length),
    zigzag(units[0] ?? 0),
    integersOfFormat3(units.map((unit, at) => (at === 0 ? 0 : unit - units[at - 1]!))),
    integersOfFormat3(hours)
  ])
