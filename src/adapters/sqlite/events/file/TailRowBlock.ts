import { groupBy } from "../../../../domain/analytics/filter/Grouping.ts"
import { ColumnCatalogue } from "./ColumnCatalogue.ts"
import { type Column, columnAt, numbersAt, valueAt } from "../format/Column.ts"
import { columnInOrder } from "../format/ColumnMaking.ts"
import { columnName } from "../format/ColumnName.ts"
import { type SegmentBuilder } from "../format/SegmentBuilder.ts"
import type { RowBlock } from "./RowBlock.ts"
import { rowsAmong } from "./UnitTable.ts"
import { rowAt } from "../format/TimeIndex.ts"

const at = (numbers: Uint32Array, order: Uint32Array): Uint32Array => order.map((row) => numbers[row]!)

/** Rows from the tail of one environment, of any type. */
export class TailRowBlock implements RowBlock {
  readonly type = null
  readonly rows: number
  readonly columnNames: ReadonlyArray<string>
  private readonly builder: SegmentBuilder
  private readonly order: Uint32Array
  private readonly ordered: {
    times?: Float64Array
    sequences?: Float64Array
    units?: Uint32Array
    sessions?: Uint32Array
  } = {}
  private seen: ColumnCatalogue | null = null
  private readonly columns = new Map<string, Column | undefined>()

  constructor(builder: SegmentBuilder) {
    this.builder = builder
    this.rows = builder.rows
    this.order = builder.order()
    this.columnNames = [...builder.columns.keys()]
  }

  get firstTimestamp(): number {
    return this.times()[0]!
  }

  get lastTimestamp(): number {
    return this.times()[this.rows - 1]!
  }

  /** What the rows contribute to the catalogue. */
  catalogue(): ColumnCatalogue {
    if (this.seen !== null) return this.seen
    const seen = new ColumnCatalogue()
    const { builder } = this
    const types = builder.columns.get(columnName.type)?.column(this.rows)
    const all = builder.times
    const byType = [...groupBy(this.order, (row) => String(types === undefined ? "" : valueAt(types, row)))].map(
      ([type, places]) => {
        const rows = Uint32Array.from(places)
        return { type, rows, times: numbersAt(all, rows) }
      }
    )
    for (const { type, times } of byType) seen.addTimes(type, times)
    // One column at a time: a block may have thousands that few rows have.
    for (const name of this.columnNames) {
      const column = builder.columns.get(name)?.column(this.rows)
      if (column === undefined) continue
      for (const { type, rows, times } of byType) seen.addColumn(type, name, columnInOrder(column, rows), times)
    }
    this.seen = seen
    return seen
  }

  times(): Float64Array {
    return (this.ordered.times ??= numbersAt(this.builder.times, this.order))
  }

  rowAt(instant: number): number {
    return rowAt(this.times(), instant)
  }

  sequences(): Float64Array {
    return (this.ordered.sequences ??= numbersAt(this.builder.sequences, this.order))
  }

  units(): Uint32Array {
    return (this.ordered.units ??= at(this.builder.units, this.order))
  }

  sessions(): Uint32Array {
    return (this.ordered.sessions ??= at(this.builder.sessions, this.order))
  }

  column(name: string): Column | undefined {
    if (!this.columns.has(name)) {
      const cells = this.builder.columns.get(name)
      this.columns.set(name, cells === undefined ? undefined : columnInOrder(cells.column(this.rows), this.order))
    }
    return this.columns.get(name)
  }

  columnAt(name: string, rows: Uint32Array): Column | undefined {
    const column = this.column(name)
    return column === undefined ? undefined : columnAt(column, rows)
  }

  sessionsAt(rows: Uint32Array): ArrayLike<number> {
    const sessions = this.sessions()
    return rows.map((row) => sessions[row]!)
  }

  timesAt(rows: Uint32Array): ArrayLike<number> {
    return numbersAt(this.times(), rows)
  }

  sequencesAt(rows: Uint32Array): ArrayLike<number> {
    return numbersAt(this.sequences(), rows)
  }

  unitsAt(rows: Uint32Array): ArrayLike<number> {
    return numbersAt(this.units(), rows)
  }

  rowsOfUnit(unit: number): Array<number> {
    return rowsAmong(this.units(), unit)
  }

  /** Nothing is cached: tail blocks are short-lived. */
  derived(_key: string, make: () => Uint32Array): Uint32Array {
    return make()
  }

  derivedNumbers(_key: string, make: () => Float64Array): Float64Array {
    return make()
  }
}
