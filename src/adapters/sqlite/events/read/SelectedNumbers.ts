import type { RowBlock } from "../file/RowBlock.ts"
import { numbersColumn } from "./NumbersColumn.ts"
import type { Selection } from "./Selection.ts"

/**
 * Whether an earlier question asked this block for the same `what`. Some things cost more to make than a single question saves by them, so
 * they are made for the second question. Always false for a block that keeps nothing.
 */
export const isWantedAgain = (block: RowBlock, what: string): boolean =>
  block.derived(`wanted ${what}`, () => new Uint32Array(1))[0]!++ > 0

/** Columns are decoded for the selected rows alone if these are fewer than one in this many rows of the block. */
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
