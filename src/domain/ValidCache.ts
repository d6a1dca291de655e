import { LruCache } from "./LruCache.ts"
import type { Validity } from "./Validity.ts"

/** Bytes counted for the validity of an entry. */
const validityBytes = 160

interface Kept<Value> {
  readonly value: Value
  readonly validity: Validity
}

/** Answers that may be given again while they are valid, within a budget of bytes; the least recently used leave first. */
export class ValidCache<Value, Key extends string | number = string> {
  private readonly kept: LruCache<Kept<Value>, Key>

  /** `budget` in bytes; `sizeOf` tells the bytes of a value without its key. */
  constructor(budget: number, sizeOf: (value: Value) => number) {
    this.kept = new LruCache(budget, ({ value }) => validityBytes + sizeOf(value))
  }

  /** The value, unless it is no longer valid at `now` (epoch milliseconds); then it is dropped. */
  get(key: Key, now: number): Value | undefined {
    const found = this.kept.get(key)
    if (found === undefined) return undefined
    if (found.validity.holds(now)) return found.value
    this.kept.delete(key)
    return undefined
  }

  /** Keeps the value while it is valid. One larger than the budget is not kept. */
  set(key: Key, value: Value, validity: Validity): void {
    this.kept.set(key, { value, validity })
  }

  delete(key: Key): void {
    this.kept.delete(key)
  }

  get bytes(): number {
    return this.kept.bytes
  }
}
