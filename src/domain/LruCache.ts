/** Bytes in a mebibyte, the unit in which budgets are written. */
export const mebibyte = 1024 * 1024

/** Bytes counted for an entry beside its key and its value: the node, its place in the map, the headers of the strings. */
export const entryBytes = 160

const bytesPerCharacter = 2

/** The most bytes that a text takes in memory. */
export const textBytes = (text: string): number => text.length * bytesPerCharacter

interface Entry<Key, Value> {
  readonly key: Key
  readonly value: Value
  readonly bytes: number
  /** The neighbour that was used before this one. */
  older: Entry<Key, Value> | null
  /** The neighbour that was used after this one. */
  newer: Entry<Key, Value> | null
}

/**
 * Values by key within a budget of bytes: whenever the entries exceed it, the least recently used are removed. `sizeOf` gives the
 * bytes of a value; those of its key and of the entry are added. A value is measured once, when it is set.
 *
 * Entries form a list in the order of their last use, so that every operation takes constant time: a `Map` used as that list would
 * walk over its deleted entries to find the oldest.
 */
export class LruCache<Value, Key extends string | number = string> {
  private readonly budget: number
  private readonly sizeOf: (value: Value) => number
  private readonly entries = new Map<Key, Entry<Key, Value>>()
  private oldest: Entry<Key, Value> | null = null
  private newest: Entry<Key, Value> | null = null
  private used = 0
  private reserved = 0

  constructor(budget: number, sizeOf: (value: Value) => number) {
    this.budget = budget
    this.sizeOf = sizeOf
  }

  /** Bytes of all entries; never more than the budget. */
  get bytes(): number {
    return this.used
  }

  get size(): number {
    return this.entries.size
  }

  /** The value of the key, if it is cached. Reading it makes it the most recently used. */
  get(key: Key): Value | undefined {
    const entry = this.entries.get(key)
    if (entry === undefined) return undefined
    if (entry !== this.newest) {
      this.unlink(entry)
      this.append(entry)
    }
    return entry.value
  }

  /** Sets the value of the key. An entry larger than all that is left of the budget is not stored, and the previous value of its key is removed. */
  set(key: Key, value: Value): void {
    this.delete(key)
    const keyBytes = typeof key === "string" ? textBytes(key) : 8
    const bytes = entryBytes + keyBytes + this.sizeOf(value)
    if (bytes > this.budget - this.reserved) return
    const entry = { key, value, bytes, older: null, newer: null }
    this.entries.set(key, entry)
    this.append(entry)
    this.used += bytes
    this.shrink()
  }

  /** Leaves so many bytes of the budget to something else, in place of what was left before: the least recently used are removed. */
  reserve(bytes: number): void {
    this.reserved = bytes
    this.shrink()
  }

  delete(key: Key): void {
    const entry = this.entries.get(key)
    if (entry !== undefined) this.remove(entry)
  }

  /** Removes all entries. What `reserve` has left to something else stays left. */
  clear(): void {
    this.entries.clear()
    this.oldest = null
    this.newest = null
    this.used = 0
  }

  private shrink(): void {
    while (this.used > this.budget - this.reserved && this.oldest !== null) this.remove(this.oldest)
  }

  private remove(entry: Entry<Key, Value>): void {
    this.entries.delete(entry.key)
    this.unlink(entry)
    this.used -= entry.bytes
  }

  private append(entry: Entry<Key, Value>): void {
    entry.older = this.newest
    entry.newer = null
    if (this.newest === null) this.oldest = entry
    else this.newest.newer = entry
    this.newest = entry
  }

  private unlink(entry: Entry<Key, Value>): void {
    if (entry.older === null) this.oldest = entry.newer
    else entry.older.newer = entry.newer
    if (entry.newer === null) this.newest = entry.older
    else entry.newer.older = entry.older
  }
}
