import {
  highestOf,
  limitOf,
  lowestOf,
  type RetentionLimit
} from "../../../../domain/analytics/markers/RetentionRule.ts"
import { type Column, columnAt, numbersAt, valueAt } from "../format/Column.ts"
import { columnName } from "../format/ColumnName.ts"
import { rowAt } from "../format/TimeIndex.ts"
import type { RowBlock } from "./RowBlock.ts"
import { rowsAmong } from "./UnitTable.ts"

/** Rows that stand in a block, at other places: what is asked of some of them is asked of the block. */
abstract class RowsOfBlock {
  readonly type: string | null
  readonly columnNames: ReadonlyArray<string>
  protected readonly block: RowBlock

  constructor(block: RowBlock) {
    this.block = block
    this.type = block.type
    this.columnNames = block.columnNames
  }

  columnAt(name: string, rows: Uint32Array): Column | undefined {
    return this.block.columnAt(name, this.inBlock(rows))
  }

  sessionsAt(rows: Uint32Array): ArrayLike<number> {
    return this.block.sessionsAt(this.inBlock(rows))
  }

  timesAt(rows: Uint32Array): ArrayLike<number> {
    return this.block.timesAt(this.inBlock(rows))
  }

  sequencesAt(rows: Uint32Array): ArrayLike<number> {
    return this.block.sequencesAt(this.inBlock(rows))
  }

  unitsAt(rows: Uint32Array): ArrayLike<number> {
    return this.block.unitsAt(this.inBlock(rows))
  }

  /** Where these rows stand in the block. */
  protected abstract inBlock(rows: Uint32Array): Uint32Array
}

/** The rows of a block from one row on, without copying them. */
class LaterRows extends RowsOfBlock implements RowBlock {
  readonly rows: number
  readonly firstTimestamp: number
  readonly lastTimestamp: number
  private readonly first: number

  constructor(block: RowBlock, first: number) {
    super(block)
    this.first = first
    this.rows = block.rows - first
    this.firstTimestamp = block.times()[first]!
    this.lastTimestamp = block.lastTimestamp
  }

  times(): Float64Array {
    return this.block.times().subarray(this.first)
  }

  rowAt(instant: number): number {
    return Math.max(0, this.block.rowAt(instant) - this.first)
  }

  sequences(): Float64Array {
    return this.block.sequences().subarray(this.first)
  }

  units(): Uint32Array {
    return this.block.units().subarray(this.first)
  }

  sessions(): Uint32Array {
    return this.block.sessions().subarray(this.first)
  }

  column(name: string): Column | undefined {
    const column = this.block.column(name)
    if (column === undefined) return undefined
    return column.type === "numbers"
      ? { type: "numbers", values: column.values.subarray(this.first) }
      : { type: "codes", codes: column.codes.subarray(this.first), dictionary: column.dictionary }
  }

  rowsOfUnit(unit: number): Array<number> {
    return this.block.rowsOfUnit(unit).flatMap((row) => (row < this.first ? [] : [row - this.first]))
  }

  derived(key: string, make: () => Uint32Array): Uint32Array {
    return this.block.derived(`from ${this.first} ${key}`, make)
  }

  derivedNumbers(key: string, make: () => Float64Array): Float64Array {
    return this.block.derivedNumbers(`from ${this.first} ${key}`, make)
  }

  protected override inBlock(rows: Uint32Array): Uint32Array {
    return rows.map((row) => row + this.first)
  }
}

/** Some rows of a block, in their order. */
class PickedRows extends RowsOfBlock implements RowBlock {
  readonly rows: number
  readonly firstTimestamp: number
  readonly lastTimestamp: number
  private readonly picked: Uint32Array
  private readonly instants: Float64Array

  constructor(block: RowBlock, picked: Uint32Array) {
    super(block)
    this.picked = picked
    this.rows = picked.length
    this.instants = this.numbers(block.times())
    this.firstTimestamp = this.instants[0]!
    this.lastTimestamp = this.instants[this.rows - 1]!
  }

  times(): Float64Array {
    return this.instants
  }

  rowAt(instant: number): number {
    return rowAt(this.instants, instant)
  }

  sequences(): Float64Array {
    return this.numbers(this.block.sequences())
  }

  units(): Uint32Array {
    return this.ids(this.block.units())
  }

  sessions(): Uint32Array {
    return this.ids(this.block.sessions())
  }

  column(name: string): Column | undefined {
    const column = this.block.column(name)
    return column === undefined ? undefined : columnAt(column, this.picked)
  }

  rowsOfUnit(unit: number): Array<number> {
    return rowsAmong(this.units(), unit)
  }

  derived(_key: string, make: () => Uint32Array): Uint32Array {
    return make()
  }

  derivedNumbers(_key: string, make: () => Float64Array): Float64Array {
    return make()
  }

  protected override inBlock(rows: Uint32Array): Uint32Array {
    return rows.map((row) => this.picked[row]!)
  }

  private numbers(values: Float64Array): Float64Array {
    return numbersAt(values, this.picked)
  }

  private ids(values: Uint32Array): Uint32Array {
    return this.picked.map((row) => values[row]!)
  }
}

/** The rows of a block of several types that are not past retention. */
const picked = (block: RowBlock, limit: RetentionLimit): Uint32Array => {
  const times = block.times()
  const types = block.column(columnName.type)
  const rows = new Uint32Array(block.rows)
  let count = 0
  for (let row = 0; row < block.rows; row++) {
    rows[count] = row
    const type = types === undefined ? "" : String(valueAt(types, row))
    if (times[row]! >= limitOf(limit, type)) count++
  }
  return rows.slice(0, count)
}

/** The block without the rows that are past retention; null when none is left. */
export const retained = (block: RowBlock, limit: RetentionLimit): RowBlock | null => {
  const { type } = block
  const highest = type === null ? highestOf(limit) : limitOf(limit, type)
  if (block.firstTimestamp >= highest) return block
  const lowest = type === null ? lowestOf(limit) : highest
  if (block.lastTimestamp < lowest) return null
  if (lowest === highest) return new LaterRows(block, block.rowAt(highest))
  const rows = picked(block, limit)
  return rows.length === 0 ? null : new PickedRows(block, rows)
}
