import { LruCache, mebibyte } from "../../../../domain/LruCache.ts"
import { type Column, sizeOf } from "../format/Column.ts"

/** Times or sequences (float64), units or sessions (uint32), or a column of values. */
export type Decoded = Float64Array | Uint32Array | Column

const bytesOf = (decoded: Decoded): number => ("type" in decoded ? sizeOf(decoded) : decoded.byteLength)

/** What a question holds beside decoded columns: rows gathered by unit, the groups of rows, and the values of an argument. */
type Held = "rows" | "groups" | "values"

/** What a question may fill beside decoded columns. */
export interface WorkingMemory {
  /** Bytes of rows that the question should gather at most at one time. */
  readonly bytes: number
  /** Tells how many bytes of a kind the question now holds; the cache keeps as many bytes of columns less. */
  hold(kind: Held, bytes: number): void
}

/** Fewer dropped bytes are not worth a collection, which takes some 10 ms. */
const leastDropped = 16 * mebibyte

/**
 * Decoded columns of one reader, which leave most of their room to a question that needs it. A key may name thousands of rows; its bytes
 * count like those of the column. What the cache drops stays in memory until a collection, so `collect` is called in time.
 */
export class ColumnCache extends LruCache<Decoded> {
  readonly working: WorkingMemory
  private readonly mostReserved: number
  private readonly mostDropped: number
  private readonly collect: () => void
  private readonly held = new Map<Held, number>()
  /** Bytes that the question has decoded and that are not kept, since the last collection. */
  private dropped = 0
  private isHeavy = false

  constructor(budget: number, collect: () => void = () => undefined) {
    super(budget, bytesOf)
    this.mostReserved = budget * 0.75
    this.mostDropped = Math.max(leastDropped, budget / 4)
    this.collect = collect
    this.working = { bytes: budget / 2, hold: (kind, bytes) => this.hold(kind, bytes) }
  }

  override set(key: string, value: Decoded): void {
    const before = this.bytes
    super.set(key, value)
    this.drop(before + bytesOf(value) - this.bytes)
  }

  /** Nothing of the question before is held. */
  beginQuestion(): void {
    this.dropped = 0
    this.isHeavy = false
    this.held.clear()
    this.reserve(0)
  }

  private hold(kind: Held, bytes: number): void {
    const before = this.bytes
    this.held.set(kind, bytes)
    const all = [...this.held.values()].reduce((sum, own) => sum + own, 0)
    this.reserve(Math.min(all, this.mostReserved))
    this.drop(before - this.bytes)
  }

  /** A question that has dropped half of the room will drop more: from then on that is collected in smaller portions. */
  private drop(bytes: number): void {
    this.dropped += bytes
    if (this.dropped < this.mostDropped * (this.isHeavy ? 1 : 2)) return
    this.dropped = 0
    this.isHeavy = true
    this.collect()
  }
}
