const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
const scratch = new Float64Array(1)
const scratchBytes = new Uint8Array(scratch.buffer)

/** Stored bytes do not have the form that their reader expects: the file is damaged, or a newer version wrote it. */
export class DamagedBytes extends Error {
  override readonly name = "DamagedBytes"
}

/** The text of bytes in UTF-8. */
export const textIn = (bytes: Uint8Array, start: number, end: number): string => {
  if (end - start > 24) return decoder.decode(bytes.subarray(start, end))
  let value = ""
  for (let at = start; at < end; at++) {
    const code = bytes[at]!
    if (code > 127) return decoder.decode(bytes.subarray(start, end))
    value += String.fromCharCode(code)
  }
  return value
}

/** Reads what ByteWriter wrote. Reading past the end throws DamagedBytes. */
export class ByteReader {
  readonly bytes: Uint8Array
  offset: number

  constructor(bytes: Uint8Array, offset = 0) {
    this.bytes = bytes
    this.offset = offset
  }

  get atEnd(): boolean {
    return this.offset >= this.bytes.length
  }

  u8(): number {
    return this.bytes[this.skip(1)]!
  }

  u32(): number {
    const at = this.skip(4)
    const bytes = this.bytes
    return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0
  }

  f64(): number {
    const at = this.skip(8)
    for (let byte = 0; byte < 8; byte++) scratchBytes[byte] = this.bytes[at + byte]!
    return scratch[0]!
  }

  varint(): number {
    const first = this.u8()
    if (first < 128) return first
    let value = first & 127
    // Up to 28 bits as integers of the processor, which nearly all numbers are.
    for (let shift = 7; shift < 28; shift += 7) {
      const byte = this.u8()
      value |= (byte & 127) << shift
      if (byte < 128) return value
    }
    for (let scale = 2 ** 28; ; scale *= 128) {
      const byte = this.u8()
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
  }

  zigzag(): number {
    const value = this.varint()
    if (value < 2 ** 31) return (value >>> 1) ^ -(value & 1)
    // A remainder of large numbers is a call of the C library, which takes longer than the rest.
    const half = Math.floor(value / 2)
    return half * 2 === value ? half : -half - 1
  }

  string(): string {
    const length = this.varint()
    return this.text(length)
  }

  text(length: number): string {
    const at = this.skip(length)
    return textIn(this.bytes, at, at + length)
  }

  raw(length: number): Uint8Array {
    const at = this.skip(length)
    return this.bytes.subarray(at, at + length)
  }

  skip(length: number): number {
    const at = this.offset
    if (at + length > this.bytes.length)
      throw new DamagedBytes(`The bytes end at ${this.bytes.length}, before ${at + length}`)
    this.offset = at + length
    return at
  }
}
