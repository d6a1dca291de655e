/** Writes numbers of any width up to 32 bits into words, the highest bit first. The words must be zeros. */
export class BitWriter {
  private readonly words: Uint32Array
  private bit: number

  constructor(words: Uint32Array, bit: number) {
    this.words = words
    this.bit = bit
  }

  /** The number must not need more bits than `width`. */
  write(value: number, width: number): void {
    if (width === 0) return
    const at = this.bit >>> 5
    const past = width - 32 + (this.bit & 31)
    if (past <= 0) this.words[at]! |= value << -past
    else {
      this.words[at]! |= value >>> past
      this.words[at + 1]! |= value << (32 - past)
    }
    this.bit += width
  }
}

/** Reads what `BitWriter` has written. At least one word must follow the one in which the number begins. */
export const readBits = (view: DataView, bit: number, width: number): number => {
  if (width === 0) return 0
  const at = (bit >>> 5) * 4
  const shift = bit & 31
  // Two shifts, because one by 32 bits would be none.
  const word = (view.getUint32(at) << shift) | ((view.getUint32(at + 4) >>> 1) >>> (31 - shift))
  return word >>> (32 - width)
}

/** The bytes of the words, the highest byte first. */
export const bigEndian = (words: Uint32Array): Uint8Array => {
  const bytes = new Uint8Array(words.length * 4)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < words.length; at++) view.setUint32(at * 4, words[at]!)
  return bytes
}

/** Population count of one word of 32 bits. */
export const onesIn = (word: number): number => {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
