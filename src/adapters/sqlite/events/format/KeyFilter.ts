import { markerHash } from "../bytes/MarkerHash.ts"

const salt0 = 0x47b6137b
const salt1 = 0x44974d91
const salt2 = 0x8824ad5b
const salt3 = 0xa2b7289d
const salt4 = 0x705495c7
const salt5 = 0x2df1424b
const salt6 = 0x9efc4947
const salt7 = 0x5c6bfb31

/** What the bits of a key are multiplied by for each word of its block. */
export const salts = Uint32Array.of(salt0, salt1, salt2, salt3, salt4, salt5, salt6, salt7)

/** The hash by which a filter knows a key of four words: a signed integer, which V8 passes on without allocating a number. */
export const keyHash = (a: number, b: number, c: number, d: number): number => markerHash(0, a, b, c, d) | 0

/** From these the bits of a key in its block follow, in every filter the same. */
export const keyBits = (hash: number): number => {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

/**
 * Split block Bloom filter (Putze, Sanders, Singler 2007), of 16 bits a key in the file: true for every key it has, false for most
 * others.
 */
export class KeyFilter {
  readonly words: Uint32Array
  private readonly blocks: number

  constructor(words: Uint32Array) {
    this.words = words
    this.blocks = words.length / 8
  }

  static for(keys: number, bitsPerKey = 16): KeyFilter {
    return new KeyFilter(new Uint32Array(Math.max(1, Math.ceil((keys * bitsPerKey) / 256)) * 8))
  }

  add(a: number, b: number, c: number, d: number): void {
    this.addHash(keyHash(a, b, c, d))
  }

  /** Adds the key with this `keyHash`. */
  addHash(hash: number): void {
    const block = this.block(hash)
    const bits = keyBits(hash)
    for (let word = 0; word < 8; word++) this.words[block + word]! |= 1 << (Math.imul(bits, salts[word]!) >>> 27)
  }

  /**
   * Whether a key with this `keyHash` and its `keyBits` may be in the filter. Each word says no to six keys of ten that are not in it. Word by
   * word, the processor would guess wrong at nearly every filter, which takes longer than all the rest: so four words are asked at once,
   * and all but one key of forty are done with.
   */
  mayHave(hash: number, bits: number): boolean {
    const words = this.words
    const block = this.block(hash)
    const half =
      (words[block]! >>> (Math.imul(bits, salt0) >>> 27)) &
      (words[block + 1]! >>> (Math.imul(bits, salt1) >>> 27)) &
      (words[block + 2]! >>> (Math.imul(bits, salt2) >>> 27)) &
      (words[block + 3]! >>> (Math.imul(bits, salt3) >>> 27))
    if ((half & 1) === 0) return false
    const rest =
      (words[block + 4]! >>> (Math.imul(bits, salt4) >>> 27)) &
      (words[block + 5]! >>> (Math.imul(bits, salt5) >>> 27)) &
      (words[block + 6]! >>> (Math.imul(bits, salt6) >>> 27)) &
      (words[block + 7]! >>> (Math.imul(bits, salt7) >>> 27))
    return (rest & 1) === 1
  }

  /** `>>> 0` tells V8 that both are integers of 32 bits: it computes the remainder of other numbers several times more slowly. */
  private block(hash: number): number {
    return ((hash >>> 0) % (this.blocks >>> 0)) * 8
  }
}
