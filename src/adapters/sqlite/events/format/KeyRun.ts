import { grown } from "../bytes/Grown.ts"
import { KeyFilter, keyHash } from "./KeyFilter.ts"
import { type KeyLayout, packedLayout } from "./KeyLayout.ts"
import { keyWords } from "./KeyPage.ts"
import { PagePacker } from "./PagePacker.ts"

/** The pages of a run have the ids run * pagesPerRun + place. */
export const pagesPerRun = 65_536

/** The marker ids of one environment and day of receipt, sorted and cut into pages. */
export interface KeyRun {
  readonly environmentId: number
  readonly day: number
  readonly keys: number
  readonly firstSequence: number
  readonly lastSequence: number
  readonly layout: KeyLayout
  readonly pages: ReadonlyArray<Uint8Array>
  /** The first 8 bytes of each page, to find the page that a key belongs to. */
  readonly fences: Uint32Array
  /** The words of its `KeyFilter`. */
  readonly filter: Uint32Array
  /** The `keyHash` of each id, which is not stored: a reader of the pages can compute it. */
  readonly hashes: Int32Array
}

/** Collects the marker ids of one environment and day of receipt. */
export class KeyRunBuilder {
  private records = new Uint32Array(1024 * keyWords)
  private count = 0
  private first = Infinity
  private last = 0

  get size(): number {
    return this.count
  }

  add(bytes: Uint8Array, offset: number, sequence: number): void {
    this.makeRoom(1)
    const at = this.count++ * keyWords
    for (let word = 0; word < 4; word++) {
      const from = offset + word * 4
      this.records[at + word] =
        (bytes[from]! << 24) | (bytes[from + 1]! << 16) | (bytes[from + 2]! << 8) | bytes[from + 3]!
    }
    // The array takes its low 32 bits.
    this.records[at + 4] = sequence
    this.first = Math.min(this.first, sequence)
    this.last = Math.max(this.last, sequence)
  }

  /** Adds what a page has. Which sequences these are has to be told when the run is finished: a record has their low bits only. */
  addRecords(records: Uint32Array): void {
    const more = records.length / keyWords
    this.makeRoom(more)
    this.records.set(records, this.count * keyWords)
    this.count += more
  }

  /**
   * Sorts the ids into a run. `bounds` replaces the range of sequences where records came from older runs, which keep
   * the low bits only.
   */
  finish(environmentId: number, day: number, bounds?: readonly [first: number, last: number]): KeyRun {
    const { records, count } = this
    const order = this.order()
    const filter = KeyFilter.for(count)
    const [firstSequence, lastSequence] = bounds ?? [this.first, this.last]
    const pages: Array<Uint8Array> = []
    const fences: Array<number> = []
    for (let start = 0; start < count;) {
      const first = order[start]! * 5
      fences.push(records[first]!, records[first + 1]!)
      const packer = new PagePacker(records, order, start, firstSequence)
      pages.push(packer.page())
      start = packer.next
    }
    const hashes = new Int32Array(count)
    for (let key = 0, at = 0; key < count; key++, at += keyWords) {
      hashes[key] = keyHash(records[at]!, records[at + 1]!, records[at + 2]!, records[at + 3]!)
      filter.addHash(hashes[key]!)
    }
    return {
      environmentId,
      day,
      keys: count,
      firstSequence,
      lastSequence,
      layout: packedLayout,
      pages,
      fences: Uint32Array.from(fences),
      filter: filter.words,
      hashes
    }
  }

  private makeRoom(more: number): void {
    const needed = (this.count + more) * keyWords
    if (needed <= this.records.length) return
    this.records = grown(this.records, new Uint32Array(Math.max(needed, this.records.length * 2)))
  }

  /** Radix sort by as many of the first 16 bits as there are records for, then a comparison sort within each bucket. */
  private order(): Uint32Array {
    const { records, count } = this
    const bits = Math.min(16, Math.max(1, 32 - Math.clz32(count)))
    const [buckets, shift] = [1 << bits, 32 - bits]
    const ends = new Uint32Array(buckets + 1)
    for (let index = 0; index < count; index++) ends[(records[index * 5]! >>> shift) + 1]!++
    for (let bucket = 0; bucket < buckets; bucket++) ends[bucket + 1]! += ends[bucket]!
    const order = new Uint32Array(count)
    const next = ends.slice()
    for (let index = 0; index < count; index++) order[next[records[index * 5]! >>> shift]!++] = index
    for (let bucket = 0; bucket < buckets; bucket++)
      if (ends[bucket + 1]! - ends[bucket]! > 1) this.sort(order.subarray(ends[bucket]!, ends[bucket + 1]!))
    return order
  }

  private sort(order: Uint32Array): void {
    if (order.length > 32) {
      order.sort((left, right) => this.compare(left, right))
      return
    }
    for (let end = 1; end < order.length; end++) {
      const inserted = order[end]!
      let at = end
      for (; at > 0 && this.compare(order[at - 1]!, inserted) > 0; at--) order[at] = order[at - 1]!
      order[at] = inserted
    }
  }

  private compare(left: number, right: number): number {
    const { records } = this
    for (let word = 0; word < 4; word++) {
      const difference = records[left * 5 + word]! - records[right * 5 + word]!
      if (difference !== 0) return difference
    }
    return 0
  }
}
