import type { Value } from "../../../../domain/analytics/markers/Event.ts"
import { columnDictionaryOf } from "../bytes/ColumnDictionary.ts"
import { type Codes, type Column, hasValue, narrow, type Numbers, numbersAt } from "./Column.ts"

/** Gives each distinct value the code that stands for it in a column. */
export class Coding {
  readonly distinct: Array<Value> = []
  private readonly known = new Map<string | number | boolean, number>()

  codeOf(value: Value): number {
    const key = typeof value === "object" ? `\u0000${JSON.stringify(value)}` : value
    let code = this.known.get(key)
    if (code === undefined) {
      code = this.distinct.push(value)
      this.known.set(key, code)
    }
    return code
  }

  column(codes: Uint32Array): Codes {
    const { distinct } = this
    return { type: "codes", codes: narrow(codes, distinct.length), dictionary: columnDictionaryOf(distinct) }
  }
}

/** The column of a block of rows; undefined where none of them has a value. */
interface BlockColumn {
  readonly rows: number
  readonly column: Column | undefined
}

const joinedNumbers = (blocks: ReadonlyArray<BlockColumn>, rows: number): Numbers => {
  const values = new Float64Array(rows)
  let at = 0
  for (const block of blocks) {
    if (block.column?.type === "numbers") values.set(block.column.values, at)
    else values.fill(NaN, at, at + block.rows)
    at += block.rows
  }
  return { type: "numbers", values }
}

const joinedCodes = (blocks: ReadonlyArray<BlockColumn>, rows: number): Codes => {
  const coding = new Coding()
  const joined = new Uint32Array(rows)
  let at = 0
  for (const { rows: own, column } of blocks) {
    if (column?.type === "codes") {
      const { codes, dictionary } = column
      const places = new Uint32Array(dictionary.count + 1)
      for (let index = 0; index < dictionary.count; index++) places[index + 1] = coding.codeOf(dictionary.value(index))
      for (let row = 0; row < own; row++) joined[at + row] = places[codes[row]!]!
    } else if (column !== undefined)
      for (let row = 0; row < own; row++) {
        const value = column.values[row]!
        if (!Number.isNaN(value)) joined[at + row] = coding.codeOf(value)
      }
    at += own
  }
  return coding.column(joined)
}

/** The columns of blocks one after the other, as one; undefined where no row has a value. */
export const joinedColumn = (blocks: ReadonlyArray<BlockColumn>): Column | undefined => {
  if (!blocks.some(({ column }) => column !== undefined && hasValue(column))) return undefined
  const rows = blocks.reduce((sum, block) => sum + block.rows, 0)
  const isCoded = blocks.some(({ column }) => column?.type === "codes")
  return isCoded ? joinedCodes(blocks, rows) : joinedNumbers(blocks, rows)
}

/**
 * The column with its rows in the order that `order` lists, and the values of its dictionary in the order in which rows come first that have
 * them.
 */
export const columnInOrder = (column: Column, order: Uint32Array): Column => {
  if (column.type === "numbers") return { type: "numbers", values: numbersAt(column.values, order) }
  const { codes, dictionary } = column
  const places = new Uint32Array(dictionary.count + 1)
  const firsts: Array<number> = []
  const ordered = new Uint32Array(order.length)
  for (let row = 0; row < ordered.length; row++) {
    const code = codes[order[row]!]!
    if (code === 0) continue
    let place = places[code]!
    if (place === 0) places[code] = place = firsts.push(code - 1)
    ordered[row] = place
  }
  return {
    type: "codes",
    codes: narrow(ordered, firsts.length),
    dictionary: { count: firsts.length, value: (index) => dictionary.value(firsts[index]!) }
  }
}
