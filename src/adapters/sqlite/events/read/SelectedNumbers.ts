import type { RowBlock } from "../file/RowBlock.ts"
import { numbersColumn } from "./NumbersColumn.ts"
import type { Selection } from "./Selection.ts"

/**
 * Whether an earlier question wanted the same of this block. What costs more than one question takes without it is made for the second.
 * Always false where a block keeps nothing.
 */
export const isWantedAgain = (block: RowBlock, what: string): boolean =>
  block.derived(`wanted ${what}`, () => new Uint32Array(1))[0]!++ > 0

/** From one row in so many on, columns are decoded for the selected rows alone. */
const leastPicked = 3

/** Columns of numbers, by place in the selection from 0 if `isPicked`, else by row of the block. */
export interface SelectedNumbers {
  readonly columns: ReadonlyArray<Float64Array>
  readonly isPicked: boolean
}

/**
 * Columns of which a question reads the selected rows. The first question about few rows of a block decodes these alone; the second
 * decodes the columns, which are then kept.
 */
export const selectedNumbers = (
  { block, rows, from, to }: Selection,
  names: ReadonlyArray<string>
): SelectedNumbers => {
  if (rows === null || (to - from) * leastPicked >= block.rows || isWantedAgain(block, names.join()))
    return { columns: names.map((name) => numbersColumn(block.column(name), block.rows)), isPicked: false }
  const wanted = rows.subarray(from, to)
  return { columns: names.map((name) => numbersColumn(block.columnAt(name, wanted), to - from)), isPicked: true }
}
