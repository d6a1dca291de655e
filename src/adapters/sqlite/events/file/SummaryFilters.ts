import { mebibyte } from "../../../../domain/LruCache.ts"
import { KeyFilter } from "../format/KeyFilter.ts"

/** How many keys a filter is made for: twice as many as the runs have then, but not fewer or more than these. */
const fewestKeys = 2 ** 17
const mostKeys = 2 ** 24
/** Of the keys that no filter has, one of fifty looks as if some filter had it: then the filter of each run is asked. */
const bitsPerKey = 12

/** A filter over the keys of several runs. */
export class SummaryFilter {
  readonly filter: KeyFilter
  readonly capacity: number
  /** How many keys it was made to have, those of runs that are gone since among them. */
  keys = 0

  constructor(capacity: number) {
    this.capacity = capacity
    this.filter = KeyFilter.for(capacity, bitsPerKey)
  }

  add(hash: number): void {
    this.filter.addHash(hash)
  }
}

/**
 * Few large filters over the keys of many runs. To ask the filter of each run is a wait for memory for each: with a hundred runs it takes most
 * of the time of storing a marker. Nearly every key is new, and is known as new by asking one to six filters here. Keys cannot be moved from
 * one filter to another: each is larger than all before it together, and let go whole once none of its runs is left.
 */
export class SummaryFilters {
  private readonly mostBytes: number
  private filters: ReadonlyArray<SummaryFilter> = []

  constructor(mostBytes = 128 * mebibyte) {
    this.mostBytes = mostBytes
  }

  get bytes(): number {
    return this.filters.reduce((sum, { filter }) => sum + filter.words.byteLength, 0)
  }

  /** Whether a key with this `keyHash` and its `keyBits` may be in any of the filters. */
  mayHave(hash: number, bits: number): boolean {
    const filters = this.filters
    for (let at = filters.length - 1; at >= 0; at--) if (filters[at]!.filter.mayHave(hash, bits)) return true
    return false
  }

  /**
   * The filter that so many keys of one run are to be added to, where all runs have `all` keys; null where the limit in bytes allows no further
   * filter.
   */
  reserve(keys: number, all: number): SummaryFilter | null {
    const last = this.filters.at(-1)
    if (last !== undefined && last.keys + keys <= last.capacity) {
      last.keys += keys
      return last
    }
    const capacity = Math.max(keys, fewestKeys, Math.min(mostKeys, all * 2))
    if (this.bytes + (capacity * bitsPerKey) / 8 > this.mostBytes) return null
    const made = new SummaryFilter(capacity)
    made.keys = keys
    this.filters = [...this.filters, made]
    return made
  }

  has(filter: SummaryFilter): boolean {
    return this.filters.includes(filter)
  }

  /** Lets go of all filters but those that a run still has keys in. */
  retain(used: ReadonlySet<SummaryFilter>): void {
    if (this.filters.some((filter) => !used.has(filter))) this.filters = this.filters.filter((each) => used.has(each))
  }
}
