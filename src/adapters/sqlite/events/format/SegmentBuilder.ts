import type { Value } from "../../../../domain/analytics/markers/Event.ts"
import { grown } from "../bytes/Grown.ts"
import { type Column, valueAt } from "./Column.ts"
import { ColumnCells } from "./ColumnCells.ts"
import { columnName } from "./ColumnName.ts"
import { orderOf, type SegmentRows } from "./SegmentRows.ts"

/** Assigns the dense number that stands for a unit or a session, whose name is given as bytes in UTF-8. */
export type NumberOf = (bytes: Uint8Array, start: number, end: number) => number

/** Assigns the dense numbers that stand for units and sessions; 0 stands for none. */
export interface Numbering {
  readonly unit: NumberOf
  readonly session: NumberOf
}

const fewestRows = 16

/** Collects rows, in any order, for a segment or a scan. `type` is null when the rows are of several types. */
export class SegmentBuilder implements SegmentRows {
  readonly type: string | null
  rows = 0
  readonly columns = new Map<string, ColumnCells>()
  private allTimes = new Float64Array(fewestRows)
  private allSequences = new Float64Array(fewestRows)
  private allUnits = new Uint32Array(fewestRows)
  private allSessions = new Uint32Array(fewestRows)
  private readonly made = new Map<string, Column>()

  constructor(type: string | null) {
    this.type = type
  }

  /** Adds a row without values, and answers its number. */
  add(time: number, sequence: number, unit: number, session: number): number {
    const row = this.rows++
    if (row === this.allTimes.length) this.grow(row * 2)
    this.allTimes[row] = time
    this.allSequences[row] = sequence
    this.allUnits[row] = unit
    this.allSessions[row] = session
    return row
  }

  get times(): Float64Array {
    return this.allTimes.subarray(0, this.rows)
  }

  get sequences(): Float64Array {
    return this.allSequences.subarray(0, this.rows)
  }

  get units(): Uint32Array {
    return this.allUnits.subarray(0, this.rows)
  }

  get sessions(): Uint32Array {
    return this.allSessions.subarray(0, this.rows)
  }

  cells(name: string): ColumnCells {
    let cells = this.columns.get(name)
    if (cells === undefined) this.columns.set(name, (cells = new ColumnCells()))
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
      this.made.set(name, (column = cells.column(this.rows)))
      this.columns.set(name, new ColumnCells())
    }
    return column
  }

  set(name: string, row: number, value: Value): void {
    this.cells(name).add(row, value)
  }

  /** Adds all rows of another builder, which must be of a single type. */
  append(other: SegmentBuilder): void {
    const start = this.rows
    const { times, sequences, units, sessions } = other
    for (let row = 0; row < other.rows; row++) {
      this.add(times[row]!, sequences[row]!, units[row]!, sessions[row]!)
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
      if (value !== undefined) (cells ??= this.cells(name)).add(start + row, value)
    }
  }

  private grow(capacity: number): void {
    this.allTimes = grown(this.allTimes, new Float64Array(capacity))
    this.allSequences = grown(this.allSequences, new Float64Array(capacity))
    this.allUnits = grown(this.allUnits, new Uint32Array(capacity))
    this.allSessions = grown(this.allSessions, new Uint32Array(capacity))
  }

  /** Row numbers ordered by (timestamp, sequence). */
  order(): Uint32Array {
    return orderOf(this)
  }
}
