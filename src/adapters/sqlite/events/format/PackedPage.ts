import { bigEndian, onesIn, readBits } from "../bytes/BitStream.ts"
import { readMarkerId } from "../bytes/MarkerId.ts"
import { type KeyPage, keyWords } from "./KeyPage.ts"
import { leadBits, UnsharedBits } from "./UnsharedBits.ts"

/** Words of the header: count and widths, least sequence, first id, the bits in which ids differ. */
export const packedHeaderWords = 10

/** Bytes before the upper bits of the leads. */
export const upperAt = (count: number, recordBits: number): number =>
  (packedHeaderWords + Math.ceil((count * recordBits) / 32)) * 4

/** What the ids of a page have in common. */
interface Ids {
  readonly first: Uint32Array
  readonly differing: Uint32Array
  readonly unshared: UnsharedBits
  readonly firstLead: number
}

const idsIn = (view: DataView): Ids => {
  const [first, differing] = [new Uint32Array(4), new Uint32Array(4)]
  for (let word = 0; word < 4; word++) {
    first[word] = view.getUint32(8 + word * 4)
    differing[word] = view.getUint32(24 + word * 4)
  }
  const unshared = new UnsharedBits(differing)
  return { first, differing, unshared, firstLead: unshared.lead(first, 0) }
}

/**
 * A page that leaves out what its ids share. Of an id's lead, past that of the first id, the low bits stand in its record, the upper ones in
 * unary behind all records (Elias-Fano): a 1 for each id, and before it as many 0 in all as its upper bits say.
 */
export class PackedPage implements KeyPage {
  readonly count: number
  private readonly view: DataView
  private readonly lowWidth: number
  private readonly sequenceWidth: number
  private readonly leastSequence: number
  private readonly recordBits: number
  private readonly upper: number
  private ownIds: Ids | null = null

  constructor(data: Uint8Array) {
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
    this.view = view
    this.count = view.getUint16(0)
    this.lowWidth = view.getUint8(2)
    this.sequenceWidth = view.getUint8(3)
    this.leastSequence = view.getUint32(4)
    let restWidth = -leadBits
    for (let at = 24; at < 40; at += 4) restWidth += onesIn(view.getUint32(at))
    this.recordBits = this.lowWidth + Math.max(0, restWidth) + this.sequenceWidth
    this.upper = upperAt(this.count, this.recordBits)
  }

  get isWhole(): boolean {
    const { view, upper, count } = this
    let ones = 0
    for (let at = upper; at < view.byteLength; at += 4) ones += onesIn(view.getUint32(at))
    return ones > 0 && ones === count
  }

  startsAfter(key: Uint32Array): boolean {
    const { first } = this.ids
    for (let word = 0; word < 4; word++) if (first[word] !== key[word]) return first[word]! > key[word]!
    return false
  }

  has(key: Uint32Array): boolean {
    const { lowWidth } = this
    const { first, differing, unshared, firstLead } = this.ids
    for (let word = 0; word < 4; word++) if (((key[word]! ^ first[word]!) & ~differing[word]!) !== 0) return false
    const past = unshared.lead(key, 0) - firstLead
    if (past < 0) return false
    const upperBits = past >>> lowWidth
    const begin = this.begin(upperBits)
    let low = begin - upperBits
    let high = this.end(begin) - upperBits - 1
    while (low <= high) {
      const middle = (low + high) >>> 1
      const difference = this.compare(middle, past & ((1 << lowWidth) - 1), key)
      if (difference === 0) return true
      if (difference < 0) low = middle + 1
      else high = middle - 1
    }
    return false
  }

  sequences(): Uint32Array {
    const { view, leastSequence, recordBits, sequenceWidth } = this
    const sequences = new Uint32Array(this.count)
    if (sequenceWidth === 0) return sequences.fill(leastSequence)
    const bit = this.bitOf(1) - sequenceWidth
    if (sequenceWidth > 25)
      for (let index = 0, from = bit; index < sequences.length; index++, from += recordBits)
        sequences[index] = leastSequence + readBits(view, from, sequenceWidth)
    // Four bytes from the one on in which the number begins have all of it.
    else
      for (let index = 0, from = bit; index < sequences.length; index++, from += recordBits)
        sequences[index] = leastSequence + ((view.getUint32(from >>> 3) << (from & 7)) >>> (32 - sequenceWidth))
    return sequences
  }

  id(index: number): string {
    const { view } = this
    let [at, before] = [this.upper, 0]
    let bits = view.getUint32(at)
    for (let ones = onesIn(bits); before + ones <= index; ones = onesIn(bits)) {
      before += ones
      at += 4
      bits = view.getUint32(at)
    }
    for (; before < index; before++) bits &= ~(0x80000000 >>> Math.clz32(bits))
    const record = new Uint32Array(keyWords)
    this.write(index, (at - this.upper) * 8 + Math.clz32(bits) - index, record, 0)
    return readMarkerId(bigEndian(record), 0)
  }

  records(): Uint32Array {
    const { view, count, upper } = this
    const records = new Uint32Array(count * keyWords)
    let index = 0
    for (let at = upper; index < count; at += 4)
      for (let bits = view.getUint32(at); bits !== 0 && index < count; index++) {
        const bit = Math.clz32(bits)
        bits &= ~(0x80000000 >>> bit)
        this.write(index, (at - upper) * 8 + bit - index, records, index * keyWords)
      }
    return records
  }

  /** The place among the upper bits from which on ids have these. */
  private begin(upperBits: number): number {
    const { view, upper } = this
    let [left, at] = [upperBits, upper]
    for (; at < view.byteLength; at += 4) {
      const zeros = 32 - onesIn(view.getUint32(at))
      if (zeros >= left) break
      left -= zeros
    }
    if (at >= view.byteLength) return (at - upper) * 8
    let bit = 0
    for (let zeros = ~view.getUint32(at); left > 0; left--) {
      bit = Math.clz32(zeros) + 1
      zeros &= ~(0x80000000 >>> (bit - 1))
    }
    return (at - upper) * 8 + bit
  }

  /** The place of the first 0 from this one on. */
  private end(begin: number): number {
    const { view, upper } = this
    let place = begin
    for (let at = upper + (place >>> 5) * 4; at < view.byteLength; at += 4) {
      place += Math.clz32(~(view.getUint32(at) << (place & 31)))
      if ((place & 31) !== 0 || upper + (place >>> 5) * 4 === at) break
    }
    return place
  }

  /** Negative if the record's low bits and rest come before those of the key, 0 if they are the same, positive if they come after. */
  private compare(index: number, low: number, key: Uint32Array): number {
    const { view, lowWidth } = this
    const { rest } = this.ids.unshared
    let bit = this.bitOf(index)
    const difference = readBits(view, bit, lowWidth) - low
    if (difference !== 0) return difference
    bit += lowWidth
    for (let piece = 0; piece < rest.length; piece++) {
      const { word, shift, width, mask } = rest[piece]!
      const past = readBits(view, bit, width) - (((key[word]! >>> shift) & mask) >>> 0)
      if (past !== 0) return past
      bit += width
    }
    return 0
  }

  private write(index: number, upperBits: number, into: Uint32Array, offset: number): void {
    const { view, lowWidth } = this
    const { first, differing, unshared, firstLead } = this.ids
    const { rest } = unshared
    for (let word = 0; word < 4; word++) into[offset + word] = first[word]! & ~differing[word]!
    let bit = this.bitOf(index)
    unshared.putLead(firstLead + ((upperBits << lowWidth) >>> 0) + readBits(view, bit, lowWidth), into, offset)
    bit += lowWidth
    for (let piece = 0; piece < rest.length; piece++) {
      const { word, shift, width } = rest[piece]!
      into[offset + word]! |= readBits(view, bit, width) << shift
      bit += width
    }
    into[offset + 4] = this.leastSequence + readBits(view, bit, this.sequenceWidth)
  }

  /** Made when an id is asked for: whoever looks for sequences reads many pages without. */
  private get ids(): Ids {
    return (this.ownIds ??= idsIn(this.view))
  }

  private bitOf(index: number): number {
    return packedHeaderWords * 32 + index * this.recordBits
  }
}
