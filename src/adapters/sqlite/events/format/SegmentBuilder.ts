import type { Value } from "../../../../domain/analytics/markers/Event.ts"
import { sequence } from "../bytes/Sequence.ts"
import { columnName } from "./ColumnName.ts"

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
export class SegmentBuilder {
  readonly type: string | null
  readonly times: Array<number> = []
  readonly sequences: Array<number> = []
  readonly units: Array<number> = []
  readonly sessions: Array<number> = []
  readonly columns = new Map<string, ColumnCells>()

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
    for (const [name, cells] of other.columns)
      for (let row = 0; row < cells.length; row++)
        if (cells[row] !== undefined) this.set(name, start + row, cells[row]!)
  }

  /** Row numbers ordered by (timestamp, sequence). */
  order(): Uint32Array {
    const { times, sequences } = this
    const order = sequence(0, times.length)
    let isSorted = true
    for (let row = 1; row < times.length && isSorted; row++)
      isSorted =
        times[row - 1]! < times[row]! || (times[row - 1] === times[row] && sequences[row - 1]! < sequences[row]!)
    return isSorted ? order : order.sort((a, b) => times[a]! - times[b]! || sequences[a]! - sequences[b]!)
  }
}
