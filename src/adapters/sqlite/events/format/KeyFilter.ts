import { markerHash } from "../bytes/MarkerHash.ts"

export const salts = Uint32Array.of(
  0x47b6137b,
  0x44974d91,
  0x8824ad5b,
  0xa2b7289d,
  0x705495c7,
  0x2df1424b,
  0x9efc4947,
  0x5c6bfb31
)

/** The hash by which a filter knows a key of four words: a signed integer, which V8 passes on without allocating a number. */
export const keyHash = (a: number, b: number, c: number, d: number): number => markerHash(0, a, b, c, d) | 0

/** From these the bits of a key in its block follow, in every filter the same. */
export const keyBits = (hash: number): number => {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

/**
 * Split block Bloom filter of 16 bits a key (Putze, Sanders, Singler 2007): true for every key it has, false for most
 * others.
 */
export class KeyFilter {
  readonly words: Uint32Array
  private readonly blocks: number

  constructor(words: Uint32Array) {
    this.words = words
    this.blocks = words.length / 8
  }

  static for(keys: number): KeyFilter {
    return new KeyFilter(new Uint32Array(Math.max(1, Math.ceil((keys * 16) / 256)) * 8))
  }

  add(a: number, b: number, c: number, d: number): void {
    const hash = keyHash(a, b, c, d)
    const block = this.block(hash)
    const bits = keyBits(hash)
    for (let word = 0; word < 8; word++) this.words[block + word]! |= 1 << (Math.imul(bits, salts[word]!) >>> 27)
  }

  /** Whether a key with this `keyHash` and its `keyBits` may be in the filter. */
  mayHave(hash: number, bits: number): boolean {
    const block = this.block(hash)
    for (let word = 0; word < 8; word++)
      if ((this.words[block + word]! & (1 << (Math.imul(bits, salts[word]!) >>> 27))) === 0) return false
    return true
  }

  /** `>>> 0` tells V8 that both are integers of 32 bits: it computes the remainder of other numbers several times more slowly. */
  private block(hash: number): number {
    return ((hash >>> 0) % (this.blocks >>> 0)) * 8
  }
}
