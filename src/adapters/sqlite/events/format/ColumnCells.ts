import type { Value } from "../../../../domain/analytics/markers/Event.ts"
import { grown } from "../bytes/Grown.ts"
import type { Column } from "./Column.ts"
import { Coding } from "./ColumnMaking.ts"

/** Small enough that V8 keeps the first arrays within its heap: a segment may have 10,000 columns that few rows have. */
const fewestCells = 8

/** A power of two. */
const rememberedTexts = 64

interface Coded {
  codes: Uint32Array
  readonly coding: Coding
  /** The keys of some texts that were added, each at the place that its last bits tell, and their codes. */
  readonly keys: Float64Array
  readonly codesByKey: Uint32Array
}

/**
 * The values of a column, which rows add in ascending order. They take memory for the rows that have one alone, and none of V8's objects, which
 * would be moved and looked at by each collection until the segment is written.
 */
export class ColumnCells {
  private count = 0
  private capacity = fewestCells
  /** The row of each value; null as long as the value at each place is that of the row with this number. */
  private rows: Uint32Array | null = null
  /** The values, as long as all are numbers. */
  private numbers = new Float64Array(fewestCells)
  /** Their codes, and what these stand for, once one of them is no number. */
  private coded: Coded | null = null

  add(row: number, value: Value): void {
    if (typeof value === "number" && this.coded === null) return this.addNumber(row, value)
    const { coding } = (this.coded ??= this.inCodes())
    const place = this.place(row)
    this.coded.codes[place] = coding.codeOf(value)
  }

  addNumber(row: number, value: number): void {
    if (this.coded !== null) return this.add(row, value)
    const place = this.place(row)
    this.numbers[place] = value
  }

  /** Adds a text that is known by a key, a positive integer that never stands for another one. */
  addText(row: number, key: number, text: string): void {
    this.add(row, text)
    if (this.coded === null) return
    const { keys, codesByKey, codes } = this.coded
    const slot = key & (rememberedTexts - 1)
    keys[slot] = key
    codesByKey[slot] = codes[this.count - 1]!
  }

  /** Adds the text that was added with this key. False where it is not remembered. */
  addKnown(row: number, key: number): boolean {
    if (this.coded === null) return false
    const slot = key & (rememberedTexts - 1)
    if (this.coded.keys[slot] !== key) return false
    const place = this.place(row)
    this.coded.codes[place] = this.coded.codesByKey[slot]!
    return true
  }

  /** The values of the first `rows` rows as a column; its dictionary may have values that only later rows have. */
  column(rows: number): Column {
    const { coded } = this
    if (coded !== null) return coded.coding.column(this.spread(coded.codes, new Uint32Array(rows)))
    return { type: "numbers", values: this.spread(this.numbers, new Float64Array(rows).fill(NaN)) }
  }

  private spread<Numbers extends Float64Array | Uint32Array>(from: Numbers, into: Numbers): Numbers {
    const { rows, count } = this
    if (rows === null) into.set(from.subarray(0, Math.min(count, into.length)))
    else for (let place = 0; place < count && rows[place]! < into.length; place++) into[rows[place]!] = from[place]!
    return into
  }

  private place(row: number): number {
    const place = this.count++
    if (place === this.capacity) this.grow()
    if (this.rows === null && row !== place) {
      this.rows = new Uint32Array(this.capacity)
      for (let known = 0; known < place; known++) this.rows[known] = known
    }
    if (this.rows !== null) this.rows[place] = row
    return place
  }

  private grow(): void {
    const capacity = (this.capacity *= 2)
    if (this.coded === null) this.numbers = grown(this.numbers, new Float64Array(capacity))
    else this.coded.codes = grown(this.coded.codes, new Uint32Array(capacity))
    if (this.rows !== null) this.rows = grown(this.rows, new Uint32Array(capacity))
  }

  private inCodes(): Coded {
    const coding = new Coding()
    const codes = new Uint32Array(this.capacity)
    for (let place = 0; place < this.count; place++) codes[place] = coding.codeOf(this.numbers[place]!)
    this.numbers = new Float64Array(0)
    return { codes, coding, keys: new Float64Array(rememberedTexts), codesByKey: new Uint32Array(rememberedTexts) }
  }
}
