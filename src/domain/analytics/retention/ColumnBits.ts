import { columnsOf, type RetentionColumn } from "./RetentionCells.ts"
import type { Criterion } from "./RetentionPlan.ts"

/** Bits of a word: with more, JavaScript engines would keep the words of an array as doubles. */
const bitsOfWord = 30

/** Columns of a criterion as bits, those of a list of cells in words one after the other. */
export class ColumnBits {
  /** Words that the columns take. */
  readonly words: number
  private readonly columns: ReadonlyArray<RetentionColumn>
  private readonly isOn: boolean

  constructor(criterion: Criterion) {
    this.columns = columnsOf(criterion)
    this.words = Math.ceil(this.columns.length / bitsOfWord)
    this.isOn = criterion.type === "on"
  }

  /**
   * Sets, in the words of the cell at this place, the bits of columns that hold one of the first `count` intervals. These are ascending, and each
   * is counted from `origin`: the first interval that a column may hold is 1.
   */
  mark(cells: Array<number>, place: number, intervals: ReadonlyArray<number>, count: number, origin: number): void {
    const { columns } = this
    if (this.isOn) {
      for (let at = 0; at < count; at++) {
        const column = intervals[at]! - origin - 1
        if (column >= columns.length) return
        if (column >= 0) this.set(cells, place, column)
      }
      return
    }
    for (let column = 0, at = 0; column < columns.length; column++) {
      const [least, most] = [columns[column]![0], columns[column]![1]]
      while (at < count && intervals[at]! - origin < least) at++
      if (at === count) return
      if (intervals[at]! - origin <= most) this.set(cells, place, column)
    }
  }

  /** Whether the column's bit is set in the cell at this place. */
  has(cells: ReadonlyArray<number>, place: number, column: number): boolean {
    const word = cells[place * this.words + Math.floor(column / bitsOfWord)] ?? 0
    return ((word >>> (column % bitsOfWord)) & 1) === 1
  }

  /** Adds 1 to the count of each column whose bit is set in the words from `from` on. */
  count(cells: ArrayLike<number>, from: number, counts: Float64Array): void {
    for (let word = 0; word < this.words; word++)
      for (let bits = cells[from + word]!; bits !== 0; bits &= bits - 1)
        counts[word * bitsOfWord + 31 - Math.clz32(bits & -bits)]!++
  }

  private set(cells: Array<number>, place: number, column: number): void {
    cells[place * this.words + Math.floor(column / bitsOfWord)]! |= 1 << (column % bitsOfWord)
  }
}
