import { ByteWriter } from "./ByteWriter.ts"
import { hashedWith, hashSeed } from "./HashSeed.ts"

const fewestSlots = 1024

/** The hash of a text that is given as bytes, in this thread. */
export const textHash = (bytes: Uint8Array, start: number, end: number, seed = hashSeed): number => {
  let hash = seed
  for (let at = start; at < end; at++) hash = hashedWith(hash, bytes[at]!)
  return hash
}

/** Numbers texts, which are given as bytes, from 0 in the order in which they come first. */
export class TextTable {
  count = 0
  /** The texts in the order of their numbers, each preceded by its length. */
  readonly written = new ByteWriter(4096)
  /** By number: where the text begins in `written`, its length and its hash. */
  private starts = new Int32Array(fewestSlots)
  private lengths = new Int32Array(fewestSlots)
  private hashes = new Int32Array(fewestSlots)
  /** 1 + the number of the text that has the slot, 0 where none has. At most half are taken. */
  private slots = new Int32Array(fewestSlots)

  /** The bytes that this takes in memory. */
  get bytes(): number {
    return this.slots.length * 16 + this.written.bytes.length
  }

  clear(): void {
    if (this.slots.length > fewestSlots * 16) this.allot(fewestSlots)
    else this.slots.fill(0)
    this.count = 0
    this.written.length = 0
  }

  /** The number of the text from `start` to `end`, whose `textHash` is given, as `JsonCursor` knows it. */
  numberOf(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const mask = this.slots.length - 1
    let slot = (hash ^ (hash >>> 15)) & mask
    for (let found = this.slots[slot]!; found !== 0; found = this.slots[slot]!) {
      if (this.hashes[found - 1] === hash && this.isSame(found - 1, bytes, start, end)) return found - 1
      slot = (slot + 1) & mask
    }
    return this.add(slot, bytes, start, end, hash)
  }

  /** The text of a number, which is ASCII. */
  textOf(number: number): string {
    const start = this.starts[number]!
    return String.fromCharCode(...this.written.bytes.subarray(start, start + this.lengths[number]!))
  }

  private isSame(number: number, bytes: Uint8Array, start: number, end: number): boolean {
    const length = end - start
    if (this.lengths[number] !== length) return false
    const known = this.written.bytes
    const from = this.starts[number]!
    for (let index = 0; index < length; index++) if (known[from + index] !== bytes[start + index]) return false
    return true
  }

  private add(slot: number, bytes: Uint8Array, start: number, end: number, hash: number): number {
    const { written } = this
    const number = this.count++
    const length = end - start
    written.varint(length)
    written.reserve(length)
    this.starts[number] = written.length
    this.lengths[number] = length
    this.hashes[number] = hash
    const into = written.bytes
    let to = written.length
    for (let at = start; at < end; at++) into[to++] = bytes[at]!
    written.length = to
    this.slots[slot] = this.count
    if (this.count * 2 > this.slots.length) this.grow()
    return number
  }

  private grow(): void {
    const { starts, lengths, hashes } = this
    this.allot(this.slots.length * 2)
    this.starts.set(starts)
    this.lengths.set(lengths)
    this.hashes.set(hashes)
    const mask = this.slots.length - 1
    for (let number = 0; number < this.count; number++) {
      const hash = hashes[number]!
      let slot = (hash ^ (hash >>> 15)) & mask
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask
      this.slots[slot] = number + 1
    }
  }

  private allot(slots: number): void {
    this.slots = new Int32Array(slots)
    this.starts = new Int32Array(slots)
    this.lengths = new Int32Array(slots)
    this.hashes = new Int32Array(slots)
  }
}
