import { hashedWith, hashSeed } from "./HashSeed.ts"

/** The powers of ten by which a number with so many decimals is divided: each is exact, so the quotient is rounded once. */
const powers = Array.from({ length: 16 }, (_, places) => 10 ** places)

/** Digits of which any number is exact. */
const exactDigits = 15

const isDigit = (code: number): boolean => code >= 48 && code <= 57

/**
 * Walks through JSON in bytes, without an object for what it finds. It takes texts of ASCII without escapes; where it
 * meets other texts, or no JSON, it answers false, and what it stands at then has no meaning.
 */
export class JsonCursor {
  bytes = new Uint8Array()
  at = 0
  /** Where the last text begins, and where its closing quote is. */
  start = 0
  end = 0
  /** The `textHash` of the last text. */
  hash = 0
  /** The last number. */
  number = 0

  open(bytes: Uint8Array<ArrayBuffer>): void {
    this.bytes = bytes
    this.at = 0
  }

  /** The next byte that is no white space, which is not taken; 0 at the end. */
  next(): number {
    const { bytes } = this
    while (this.at < bytes.length) {
      const code = bytes[this.at]!
      if (code > 32 || (code !== 32 && code !== 10 && code !== 13 && code !== 9)) return code
      this.at++
    }
    return 0
  }

  /** Takes the byte if it is the next one. */
  take(code: number): boolean {
    if (this.next() !== code) return false
    this.at++
    return true
  }

  text(): boolean {
    if (!this.take(34)) return false
    const { bytes } = this
    let at = this.at
    let hash = hashSeed
    this.start = at
    for (; at < bytes.length; at++) {
      const code = bytes[at]!
      if (code === 34) {
        this.end = at
        this.hash = hash
        this.at = at + 1
        return true
      }
      if (code < 32 || code > 127 || code === 92) return false
      hash = hashedWith(hash, code)
    }
    return false
  }

  decimal(): boolean {
    const { bytes } = this
    const begun = this.at
    const isNegative = bytes[begun] === 45
    const first = isNegative ? begun + 1 : begun
    let at = first
    let value = 0
    for (; at < bytes.length && isDigit(bytes[at]!); at++) value = value * 10 + bytes[at]! - 48
    const whole = at - first
    if (whole === 0 || (whole > 1 && bytes[first] === 48)) return false
    let places = 0
    if (bytes[at] === 46) {
      const point = at++
      for (; at < bytes.length && isDigit(bytes[at]!); at++) value = value * 10 + bytes[at]! - 48
      places = at - point - 1
      if (places === 0) return false
    }
    const mantissa = at
    if (bytes[at] === 101 || bytes[at] === 69) {
      at += bytes[at + 1] === 43 || bytes[at + 1] === 45 ? 2 : 1
      const exponent = at
      while (at < bytes.length && isDigit(bytes[at]!)) at++
      if (at === exponent) return false
    }
    this.at = at
    if (at > mantissa || whole + places > exactDigits) this.number = Number(this.ascii(begun, at)) + 0
    else this.number = (isNegative ? -value : value) / powers[places]! + 0
    return Number.isFinite(this.number)
  }

  /** A whole number as it is written, from 0 to one of 15 digits, as the last text. */
  digits(): boolean {
    const { bytes } = this
    const start = this.at
    let at = start
    let hash = hashSeed
    for (; at < bytes.length && isDigit(bytes[at]!); at++) hash = hashedWith(hash, bytes[at]!)
    const length = at - start
    const code = bytes[at]
    if (length === 0 || length > exactDigits || (length > 1 && bytes[start] === 48)) return false
    if (code === 46 || code === 101 || code === 69) return false
    this.start = start
    this.end = at
    this.hash = hash
    this.at = at
    return true
  }

  /** Takes the word, given as its bytes, if it comes next. */
  word(word: Uint8Array): boolean {
    const { bytes, at } = this
    for (let index = 0; index < word.length; index++) if (bytes[at + index] !== word[index]) return false
    this.at = at + word.length
    return true
  }

  /** Takes the text between `start` and `end`, whose hash is given, if the same text comes next again. */
  again(start: number, end: number, hash: number): boolean {
    const { bytes, at } = this
    const shift = at + 1 - start
    if (bytes[at] !== 34 || bytes[end + shift] !== 34) return false
    for (let index = start; index < end; index++) if (bytes[index + shift] !== bytes[index]) return false
    this.start = at + 1
    this.end = end + shift
    this.hash = hash
    this.at = this.end + 1
    return true
  }

  /** Takes a text of `length` bytes in quotes without checking these bytes: they may be anything. Leaves `hash` as it was. */
  quoted(length: number): boolean {
    const { bytes, at } = this
    if (bytes[at] !== 34 || bytes[at + length + 1] !== 34) return false
    this.start = at + 1
    this.end = at + length + 1
    this.at = this.end + 1
    return true
  }

  /** Whether the last text is the word. */
  isText(word: Uint8Array): boolean {
    const { bytes, start } = this
    if (this.end - start !== word.length) return false
    for (let index = 0; index < word.length; index++) if (bytes[start + index] !== word[index]) return false
    return true
  }

  /** The bytes, which are ASCII, as a text. */
  ascii(start: number, end: number): string {
    let text = ""
    for (let at = start; at < end; at++) text += String.fromCharCode(this.bytes[at]!)
    return text
  }
}
