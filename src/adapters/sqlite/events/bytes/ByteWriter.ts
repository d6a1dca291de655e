const encoder = new TextEncoder()
const scratch = new Float64Array(1)
const scratchBytes = new Uint8Array(scratch.buffer)
/** Strings up to this many UTF-16 units are tried as ASCII first; their length fits one LEB128 byte. */
const shortString = 48

/** Appends to a byte array that grows. Fixed-width numbers are little-endian; varints are LEB128. */
export class ByteWriter {
  bytes: Uint8Array
  length = 0

  constructor(capacity = 1024) {
    this.bytes = new Uint8Array(capacity)
  }

  reserve(extra: number): void {
    const needed = this.length + extra
    if (needed <= this.bytes.length) return
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2))
    grown.set(this.bytes.subarray(0, this.length))
    this.bytes = grown
  }

  u8(value: number): void {
    this.reserve(1)
    this.bytes[this.length++] = value
  }

  u32(value: number): void {
    this.reserve(4)
    this.bytes[this.length++] = value
    this.bytes[this.length++] = value >>> 8
    this.bytes[this.length++] = value >>> 16
    this.bytes[this.length++] = value >>> 24
  }

  f64(value: number): void {
    this.reserve(8)
    scratch[0] = value
    this.bytes.set(scratchBytes, this.length)
    this.length += 8
  }

  /** An integer from 0 to 2^53 - 1. */
  varint(value: number): void {
    this.reserve(8)
    let rest = value
    while (rest > 0x7fffffff) {
      this.bytes[this.length++] = (rest % 128) | 128
      rest = Math.floor(rest / 128)
    }
    while (rest > 127) {
      this.bytes[this.length++] = (rest & 127) | 128
      rest >>>= 7
    }
    this.bytes[this.length++] = rest
  }

  /** An integer of either sign, magnitude below 2^52. */
  zigzag(value: number): void {
    this.varint(value < 0 ? -value * 2 - 1 : value * 2)
  }

  raw(bytes: Uint8Array): void {
    this.reserve(bytes.length)
    this.bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  /** UTF-8, preceded by its length in bytes. */
  string(value: string): void {
    if (value.length > shortString || !this.ascii(value)) {
      const encoded = encoder.encode(value)
      this.varint(encoded.length)
      this.raw(encoded)
    }
  }

  finish(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.length)
  }

  /** Writes `value` if it is ASCII throughout; otherwise writes nothing and answers false. */
  private ascii(value: string): boolean {
    const start = this.length
    this.reserve(value.length + 1)
    this.bytes[this.length++] = value.length
    for (let at = 0; at < value.length; at++) {
      const code = value.charCodeAt(at)
      if (code > 127) {
        this.length = start
        return false
      }
      this.bytes[this.length++] = code
    }
    return true
  }
}
