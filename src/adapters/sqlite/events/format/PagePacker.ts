import { bigEndian, BitWriter } from "../bytes/BitStream.ts"
import { packedHeaderWords, upperAt } from "./PackedPage.ts"
import { UnsharedBits } from "./UnsharedBits.ts"

/** The most bytes of a row that SQLite keeps in one of its pages, of 8192 bytes: a longer one would take two. */
export const packedPageBytes = 8153

/** So many records are added at once: in between, what the page takes is computed. */
const portion = 64

const widthOf = (range: number): number => 32 - Math.clz32(range)

/**
 * Packs sorted records into a page, as many as it has room for. A record has five words: those of the id, and the low bits of the sequence,
 * which are counted from `origin`.
 */
export class PagePacker {
  private readonly records: Uint32Array
  private readonly order: Uint32Array
  private readonly start: number
  private readonly origin: number
  private readonly first: number
  private differing = new Uint32Array(4)
  private unshared = new UnsharedBits(this.differing)
  private count = 0
  private lowWidth = 0
  private range = 0
  private least = 0xffffffff
  private most = 0

  constructor(records: Uint32Array, order: Uint32Array, start: number, origin: number) {
    this.records = records
    this.order = order
    this.start = start
    this.origin = origin
    this.first = order[start]! * 5
    for (let step = portion; step >= 1;) {
      const more = Math.min(step, order.length - this.next)
      if (more === 0) break
      if (!this.add(more)) step >>>= 1
    }
  }

  /** The place in the order of the first record that is not in the page. */
  get next(): number {
    return this.start + this.count
  }

  page(): Uint8Array {
    const { records, order, start, origin, first, unshared, count, lowWidth, least } = this
    const { rest } = unshared
    const sequenceWidth = widthOf(this.most - least)
    const upper = upperAt(count, lowWidth + unshared.restWidth + sequenceWidth) / 4
    const words = new Uint32Array(upper + Math.ceil((count + (this.range >>> lowWidth) + 1) / 32))
    words[0] = (count << 16) | (lowWidth << 8) | sequenceWidth
    words[1] = origin + least
    words.set(records.subarray(first, first + 4), 2)
    words.set(this.differing, 6)
    const into = new BitWriter(words, packedHeaderWords * 32)
    const firstLead = unshared.lead(records, first)
    const lowMask = 2 ** lowWidth - 1
    for (let index = 0; index < count; index++) {
      const at = order[start + index]! * 5
      const past = unshared.lead(records, at) - firstLead
      into.write(past & lowMask, lowWidth)
      for (let piece = 0; piece < rest.length; piece++) {
        const { word, shift, width, mask } = rest[piece]!
        into.write((records[at + word]! >>> shift) & mask, width)
      }
      into.write(((records[at + 4]! - origin) >>> 0) - least, sequenceWidth)
      const place = (past >>> lowWidth) + index
      words[upper + (place >>> 5)]! |= 0x80000000 >>> (place & 31)
    }
    return bigEndian(words)
  }

  /** Adds the next records, if the page has room for all of them. */
  private add(more: number): boolean {
    const { records, order, first, origin, next } = this
    let [a, b, c, d] = this.differing
    let [least, most] = [this.least, this.most]
    for (let place = next; place < next + more; place++) {
      const at = order[place]! * 5
      a! |= records[at]! ^ records[first]!
      b! |= records[at + 1]! ^ records[first + 1]!
      c! |= records[at + 2]! ^ records[first + 2]!
      d! |= records[at + 3]! ^ records[first + 3]!
      const sequence = (records[at + 4]! - origin) >>> 0
      if (sequence < least) least = sequence
      if (sequence > most) most = sequence
    }
    const differing = Uint32Array.of(a!, b!, c!, d!)
    const unshared = new UnsharedBits(differing)
    const range = unshared.lead(records, order[next + more - 1]! * 5) - unshared.lead(records, first)
    const count = this.count + more
    // So many that the upper bits take two or three bits an id.
    const lowWidth = Math.max(0, 31 - Math.clz32(Math.floor(range / count)))
    const recordBits = lowWidth + unshared.restWidth + widthOf(most - least)
    const upperWords = Math.ceil((count + (range >>> lowWidth) + 1) / 32)
    if (upperAt(count, recordBits) + upperWords * 4 > packedPageBytes) return false
    this.differing = differing
    this.unshared = unshared
    this.range = range
    this.count = count
    this.lowWidth = lowWidth
    this.least = least
    this.most = most
    return true
  }
}
