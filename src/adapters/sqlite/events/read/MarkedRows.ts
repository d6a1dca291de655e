import { groupBy } from "../../../../domain/analytics/filter/Grouping.ts"
import type { RowBlock } from "../file/RowBlock.ts"
import type { Selection } from "./Selection.ts"

/**
 * Rows that matter to a question, and the bits they carry. A row of several marks carries the union of their `bits`,
 * and of their `others`.
 */
export interface RowMark {
  readonly selection: Selection
  readonly bits: number
  readonly others: number
}

/** The marks of one block. */
export interface MarkedBlock {
  readonly block: RowBlock
  readonly marks: ReadonlyArray<RowMark>
}

/** The marked rows of one block. A number in place of an array of bits applies to every row. */
export interface MarkedRows {
  readonly rows: Uint32Array | null
  readonly from: number
  readonly to: number
  readonly bits: Uint32Array | number
  readonly others: Uint32Array | number
}

/** Bytes that `joined` takes for each row of a block with several marks. */
const joinedBytes = 13

/** The marks by block, in the order of the blocks' first rows. */
export const markedBlocks = (marks: ReadonlyArray<RowMark>): ReadonlyArray<MarkedBlock> =>
  [...groupBy(marks, ({ selection }) => selection.block)]
    .map(([block, own]) => ({ block, marks: own }))
    .sort((a, b) => a.block.firstTimestamp - b.block.firstTimestamp)

/** Bytes of what `joined` makes of the block. */
export const bytesOfJoined = ({ block, marks }: MarkedBlock): number =>
  marks.length === 1 ? 0 : block.rows * joinedBytes

/** The rows of all marks of the block, each once. */
export const joined = ({ block, marks }: MarkedBlock): MarkedRows => {
  const [only] = marks
  if (only !== undefined && marks.length === 1) {
    const { rows, from, to } = only.selection
    return { rows, from, to, bits: only.bits, others: only.others }
  }
  const bits = new Uint32Array(block.rows)
  const others = new Uint32Array(block.rows)
  const isMarked = new Uint8Array(block.rows)
  for (const { selection, bits: own, others: more } of marks) {
    const { rows, from, to } = selection
    for (let place = from; place < to; place++) {
      const row = rows === null ? place : rows[place]!
      bits[row]! |= own
      others[row]! |= more
      isMarked[row] = 1
    }
  }
  const rows = new Uint32Array(block.rows)
  let count = 0
  for (let row = 0; row < block.rows; row++) {
    rows[count] = row
    count += isMarked[row]!
  }
  return { rows, from: 0, to: count, bits, others }
}
