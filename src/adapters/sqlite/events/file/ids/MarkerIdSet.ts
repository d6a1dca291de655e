import { hashSeed } from "../../bytes/HashSeed.ts"
import { markerHash } from "../../bytes/MarkerHash.ts"

/** 32-bit words of one entry: environment, day, and four of the id. */
const wordsPerEntry = 6
/** The number of entries, a power of two, that `clear` leaves allocated. */
const keptEntries = 2 ** 19

/** An exact set of (environment, day of receipt, 128-bit id) in one typed array: open addressing, at most half full. */
export class MarkerIdSet {
  size = 0
  private slots: Uint32Array
  private mask: number

  constructor(capacity = 1024) {
    this.slots = new Uint32Array(capacity * wordsPerEntry)
    this.mask = capacity - 1
  }

  /**
   * Adds a marker id and answers whether it is new. An entry received before `oldestDay` counts as absent and is
   * replaced.
   */
  add(environment: number, day: number, oldestDay: number, id: DataView, offset: number): boolean {
    if ((this.size + 1) * 2 > this.mask + 1) this.grow()
    const a = id.getUint32(offset, true)
    const b = id.getUint32(offset + 4, true)
    const c = id.getUint32(offset + 8, true)
    const d = id.getUint32(offset + 12, true)
    const at = this.find(environment, a, b, c, d)
    const slots = this.slots
    if (slots[at] !== 0) {
      if (slots[at + 1]! >= oldestDay) return false
      slots[at + 1] = day
      return true
    }
    slots[at] = environment
    slots[at + 1] = day
    slots[at + 2] = a
    slots[at + 3] = b
    slots[at + 4] = c
    slots[at + 5] = d
    this.size++
    return true
  }

  /** Removes all ids. The memory is kept for the next ones, up to `keptEntries` entries. */
  clear(): void {
    this.size = 0
    if (this.mask < keptEntries) return void this.slots.fill(0)
    this.slots = new Uint32Array(keptEntries * wordsPerEntry)
    this.mask = keptEntries - 1
  }

  private find(environment: number, a: number, b: number, c: number, d: number): number {
    const slots = this.slots
    let slot = markerHash(environment ^ hashSeed, a, b, c, d) & this.mask
    for (;;) {
      const at = slot * wordsPerEntry
      if (slots[at] === 0) return at
      if (
        slots[at + 2] === a &&
        slots[at + 3] === b &&
        slots[at + 4] === c &&
        slots[at + 5] === d &&
        slots[at] === environment
      )
        return at
      slot = (slot + 1) & this.mask
    }
  }

  private grow(): void {
    const old = this.slots
    const capacity = (this.mask + 1) * 2
    this.slots = new Uint32Array(capacity * wordsPerEntry)
    this.mask = capacity - 1
    for (let at = 0; at < old.length; at += wordsPerEntry) {
      if (old[at] === 0) continue
      const to = this.find(old[at]!, old[at + 2]!, old[at + 3]!, old[at + 4]!, old[at + 5]!)
      for (let word = 0; word < wordsPerEntry; word++) this.slots[to + word] = old[at + word]!
    }
  }
}
