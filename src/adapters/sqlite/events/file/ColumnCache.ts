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

/** The memory of the thread that the cache is in. */
export interface ThreadMemory {
  /** Bytes of objects and arrays that the thread holds, with those that nobody needs any more and that are not collected yet. */
  bytes(): number
  /** Frees what nobody needs any more. */
  collect(): void
}

/** Fewer bytes are not worth a collection, which takes some 10 ms. */
const leastPortion = 16 * mebibyte

/** What the thread keeps grows slowly, and a single question may leave more behind than it told: the least of so many collections is near it. */
const rememberedCollections = 16

/** After so many bytes of fresh columns the cache looks at what the thread holds. */
const lookBytes = mebibyte

/**
 * Decoded columns of one reader, which leave most of their room to a question that needs it. A key may name thousands of rows; its bytes
 * count like those of the column. What the cache drops, and whatever else a question leaves behind, stays in memory until a collection. So
 * where the thread holds more than the budget, a portion of the columns is dropped and all that nobody needs is collected: columns, what the
 * question holds and what it has left behind have one budget together. A quarter of it is the columns' own, whatever a question holds.
 */
export class ColumnCache extends LruCache<Decoded> {
  readonly working: WorkingMemory
  private readonly room: number
  /** Bytes that a question may make beyond what a collection left, before the next one. */
  private readonly portion: number
  private readonly thread: ThreadMemory | null
  private readonly held = new Map<Held, number>()
  /** Bytes that were set since the last look at the thread. */
  private fresh = 0
  /** Bytes of the thread beside the columns after the last collection of this question. */
  private others = 0
  /** Bytes that the last collections left beside the columns and what questions told that they held. */
  private readonly lasting: Array<number> = []
  /** Bytes of the thread that call for a collection. */
  private limit: number

  /** Without `thread` nothing is collected, and the budget bounds the columns and what a question tells that it holds. */
  constructor(budget: number, thread: ThreadMemory | null = null) {
    super(budget, bytesOf)
    this.room = budget
    this.portion = Math.max(leastPortion, budget / 4)
    this.limit = budget
    this.thread = thread
    this.working = { bytes: budget / 2, hold: (kind, bytes) => this.hold(kind, bytes) }
  }

  override set(key: string, value: Decoded): void {
    super.set(key, value)
    this.fresh += bytesOf(value)
    if (this.fresh >= lookBytes) this.look()
  }

  /**
   * Whether this was asked for before, as far as the cache remembers. Some things cost more to make than a single question saves by them, so
   * they are made for the second question. Always false where nothing is kept.
   */
  isWantedAgain(what: string): boolean {
    const key = `wanted ${what}`
    if (this.get(key) !== undefined) return true
    this.set(key, new Uint32Array(1))
    return false
  }

  /**
   * Nothing of the question before is held. What the thread keeps for all questions may leave columns less than their quarter of a small
   * budget: no collection frees that, so the question may take a portion before the first one, as it may after each.
   */
  beginQuestion(): void {
    this.held.clear()
    this.leave(0)
    this.others = 0
    const lasting = this.lasting.length === 0 ? 0 : Math.min(...this.lasting)
    this.limit = lasting < this.room * 0.75 ? this.room : lasting + this.room * 0.25 + this.portion
  }

  private hold(kind: Held, bytes: number): void {
    this.held.set(kind, bytes)
    this.leave(this.heldBytes())
    this.look()
  }

  private heldBytes(): number {
    return [...this.held.values()].reduce((sum, own) => sum + own, 0)
  }

  private leave(bytes: number): void {
    this.reserve(Math.min(bytes, this.room * 0.75))
  }

  private look(): void {
    this.fresh = 0
    if (this.thread === null || this.thread.bytes() < this.limit) return
    const { portion } = this
    let bytes = this.makeRoom(portion, this.thread)
    // Only a collection tells what else the question holds.
    if (bytes > this.room - portion / 2 && this.bytes > this.room / 4) bytes = this.makeRoom(portion, this.thread)
    this.leave(this.heldBytes())
    this.limit = Math.max(this.room, bytes + portion)
    this.lasting.push(Math.max(0, this.others - this.heldBytes()))
    if (this.lasting.length > rememberedCollections) this.lasting.shift()
  }

  /** Drops columns until so many more bytes find room, collects, and answers what the thread then holds. */
  private makeRoom(portion: number, thread: ThreadMemory): number {
    this.leave(Math.max(this.others, this.heldBytes()) + portion)
    thread.collect()
    const bytes = thread.bytes()
    this.others = Math.max(0, bytes - this.bytes)
    return bytes
  }
}
