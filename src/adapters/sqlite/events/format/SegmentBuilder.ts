import type { Value } from "../../../../domain/analytics/markers/Event.ts"
import { sequence } from "../bytes/Sequence.ts"
import { type Column, valueAt } from "./Column.ts"
import { columnOf } from "./ColumnMaking.ts"
import { columnName } from "./ColumnName.ts"
import { orderOf, type SegmentRows } from "./SegmentRows.ts"

/** Values by row. Rows without a value are holes, so that a column that few rows have takes little memory. */
export type ColumnCells = Array<Value | undefined>

/** Assigns the dense number that stands for a unit or a session, whose name is given as bytes in UTF-8. */
export type NumberOf = (bytes: Uint8Array, start: number, end: number) => number

/** Assigns the dense numbers that stand for units and sessions; 0 stands for none. */
export interface Numbering {
  readonly unit: NumberOf
  readonly session: NumberOf
}

/** Collects rows, in any order, for a segment or a scan. `type` is null when the rows are of several types. */
export class SegmentBuilder implements SegmentRows {
  readonly type: string | null
  readonly times: Array<number> = []
  readonly sequences: Array<number> = []
  readonly units: Array<number> = []
  readonly sessions: Array<number> = []
  readonly columns = new Map<string, ColumnCells>()
  private readonly made = new Map<string, Column>()

  constructor(type: string | null) {
    this.type = type
  }

  get rows(): number {
    return this.times.length
  }

  /** The cells of a column, which may end before the last row: what lies past the end has no value. */
  cells(name: string): ColumnCells {
    let cells = this.columns.get(name)
    if (cells === undefined) this.columns.set(name, (cells = []))
    return cells
  }

  get columnNames(): Iterable<string> {
    return this.columns.keys()
  }

  /** A column by row. Call this when all rows are added: the cells, of which it is made, are given up. */
  column(name: string): Column | undefined {
    const cells = this.columns.get(name)
    if (cells === undefined) return undefined
    let column = this.made.get(name)
    if (column === undefined) {
      this.made.set(name, (column = columnOf(cells, sequence(0, this.rows))))
      this.columns.set(name, [])
    }
    return column
  }

  set(name: string, row: number, value: Value): void {
    this.cells(name)[row] = value
  }

  /** Adds all rows of another builder, which must be of a single type. */
  append(other: SegmentBuilder): void {
    const start = this.rows
    for (let row = 0; row < other.rows; row++) {
      this.times.push(other.times[row]!)
      this.sequences.push(other.sequences[row]!)
      this.units.push(other.units[row]!)
      this.sessions.push(other.sessions[row]!)
      if (this.type === null && other.type !== null) this.set(columnName.type, start + row, other.type)
    }
    for (const name of other.columnNames) {
      const column = other.column(name)
      if (column !== undefined) this.appendColumn(name, column, start, other.rows)
    }
  }

  private appendColumn(name: string, column: Column, start: number, rows: number): void {
    let cells: ColumnCells | undefined
    for (let row = 0; row < rows; row++) {
      const value = valueAt(column, row)
      if (value !== undefined) (cells ??= this.cells(name))[start + row] = value
    }
  }

  /** Row numbers ordered by (timestamp, sequence). */
  order(): Uint32Array {
    return orderOf(this)
  }
}
