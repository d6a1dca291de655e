import { KeyFilter } from "./KeyFilter.ts"

export const keyBytes = 20
export const pageKeys = 400
/** The pages of a run have the ids run * pagesPerRun + place. */
export const pagesPerRun = 65_536

/**
 * The marker ids of one environment and day of receipt: sorted records of a 16-byte id and the low 32 bits of its
 * sequence, cut into pages.
 */
export interface KeyRun {
  readonly environmentId: number
  readonly day: number
  readonly keys: number
  readonly firstSequence: number
  readonly lastSequence: number
  readonly pages: ReadonlyArray<Uint8Array>
  /** The first 8 bytes of each page, to find the page that a key belongs to. */
  readonly fences: Uint32Array
  /** The words of its `KeyFilter`. */
  readonly filter: Uint32Array
}

/** Collects the marker ids of one environment and day of receipt. */
export class KeyRunBuilder {
  private records = new Uint32Array(1024 * 5)
  private count = 0
  private first = Infinity
  private last = 0

  get size(): number {
    return this.count
  }

  add(bytes: Uint8Array, offset: number, sequence: number): void {
    if ((this.count + 1) * 5 > this.records.length) {
      const grown = new Uint32Array(this.records.length * 2)
      grown.set(this.records)
      this.records = grown
    }
    const at = this.count++ * 5
    for (let word = 0; word < 4; word++) {
      const from = offset + word * 4
      this.records[at + word] =
        (bytes[from]! << 24) | (bytes[from + 1]! << 16) | (bytes[from + 2]! << 8) | bytes[from + 3]!
    }
    this.records[at + 4] = sequence % 2 ** 32
    this.first = Math.min(this.first, sequence)
    this.last = Math.max(this.last, sequence)
  }

  /**
   * Sorts the ids into a run. `bounds` replaces the range of sequences where records came from older runs, which keep
   * the low bits only.
   */
  finish(environmentId: number, day: number, bounds?: readonly [first: number, last: number]): KeyRun {
    const { records, count } = this
    const order = this.order()
    const filter = KeyFilter.for(count)
    const pages: Array<Uint8Array> = []
    const fences = new Uint32Array(Math.ceil(count / pageKeys) * 2)
    const all = new ArrayBuffer(count * keyBytes)
    for (let start = 0; start < count; start += pageKeys) {
      const length = Math.min(pageKeys, count - start)
      const page = new DataView(all, start * keyBytes, length * keyBytes)
      fences.set(records.subarray(order[start]! * 5, order[start]! * 5 + 2), pages.length * 2)
      for (let index = 0; index < length; index++) {
        const at = order[start + index]! * 5
        filter.add(records[at]!, records[at + 1]!, records[at + 2]!, records[at + 3]!)
        for (let word = 0; word < 5; word++) page.setUint32(index * keyBytes + word * 4, records[at + word]!)
      }
      pages.push(new Uint8Array(all, page.byteOffset, page.byteLength))
    }
    const [firstSequence, lastSequence] = bounds ?? [this.first, this.last]
    return { environmentId, day, keys: count, firstSequence, lastSequence, pages, fences, filter: filter.words }
  }

  /** Radix sort by the first 16 bits, then a comparison sort within each bucket. */
  private order(): Uint32Array {
    const { records, count } = this
    const ends = new Uint32Array(65_537)
    for (let index = 0; index < count; index++) ends[(records[index * 5]! >>> 16) + 1]!++
    for (let bucket = 0; bucket < 65_536; bucket++) ends[bucket + 1]! += ends[bucket]!
    const order = new Uint32Array(count)
    const next = ends.slice()
    for (let index = 0; index < count; index++) order[next[records[index * 5]! >>> 16]!++] = index
    for (let bucket = 0; bucket < 65_536; bucket++)
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

/** Negative if the record comes before the key, 0 if it is the key, positive if it comes after. */
const compareAt = (view: DataView, record: number, key: Uint32Array): number => {
  for (let word = 0; word < 4; word++) {
    const difference = view.getUint32(record * keyBytes + word * 4) - key[word]!
    if (difference !== 0) return difference
  }
  return 0
}

/** Whether the page's first record comes after the key. */
export const startsAfter = (page: Uint8Array, key: Uint32Array): boolean =>
  page.length > 0 && compareAt(new DataView(page.buffer, page.byteOffset, page.byteLength), 0, key) > 0

/** The index of the key's record in a page, or -1. */
export const findInPage = (page: Uint8Array, key: Uint32Array): number => {
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength)
  let low = 0
  let high = page.length / keyBytes - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const difference = compareAt(view, middle, key)
    if (difference === 0) return middle
    if (difference < 0) low = middle + 1
    else high = middle - 1
  }
  return -1
}
