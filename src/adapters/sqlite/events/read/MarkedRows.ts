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
  readonly bits: Uint8Array | Uint32Array | number
  readonly others: Uint32Array | number
}

/** The bits that any of the marks carries. */
export const unionOf = (marks: ReadonlyArray<RowMark>, of: "bits" | "others"): number =>
  marks.reduce((all, mark) => all | mark[of], 0)

/** Whether eight bits are enough for the bits of all marks. */
export const isNarrow = (marks: ReadonlyArray<RowMark>): boolean => unionOf(marks, "bits") >>> 0 < 256

/** The marks by block, in the order of the blocks' first rows. */
export const markedBlocks = (marks: ReadonlyArray<RowMark>): ReadonlyArray<MarkedBlock> =>
  [...groupBy(marks, ({ selection }) => selection.block)]
    .map(([block, own]) => ({ block, marks: own }))
    .sort((a, b) => a.block.firstTimestamp - b.block.firstTimestamp)

/** Whether all marks are of the same rows, as those of several steps without filters of their own: then every row carries the same bits. */
const isOfSameRows = ([first, ...others]: ReadonlyArray<RowMark>): boolean =>
  others.every(
    ({ selection: { rows, from, to } }) =>
      rows === first?.selection.rows && from === first.selection.from && to === first.selection.to
  )

/** Bytes of what `joined` makes of the block. */
export const bytesOfJoined = ({ block, marks }: MarkedBlock): number =>
  isOfSameRows(marks) ? 0 : block.rows * (5 + (isNarrow(marks) ? 1 : 4) + (unionOf(marks, "others") === 0 ? 0 : 4))

/** The rows of all marks of the block, each once. */
export const joined = ({ block, marks }: MarkedBlock): MarkedRows => {
  const [first] = marks
  if (first !== undefined && isOfSameRows(marks)) {
    const { rows, from, to } = first.selection
    return { rows, from, to, bits: unionOf(marks, "bits"), others: unionOf(marks, "others") }
  }
  const bits = isNarrow(marks) ? new Uint8Array(block.rows) : new Uint32Array(block.rows)
  const others = unionOf(marks, "others") === 0 ? 0 : new Uint32Array(block.rows)
  const isMarked = new Uint8Array(block.rows)
  for (const { selection, bits: own, others: more } of marks) {
    const { rows, from, to } = selection
    for (let place = from; place < to; place++) {
      const row = rows === null ? place : rows[place]!
      bits[row]! |= own
      if (typeof others !== "number") others[row]! |= more
      isMarked[row] = 1
    }
  }
  if (!isMarked.includes(0)) return { rows: null, from: 0, to: block.rows, bits, others }
  const rows = new Uint32Array(block.rows)
  let count = 0
  for (let row = 0; row < block.rows; row++) {
    rows[count] = row
    count += isMarked[row]!
  }
  return { rows, from: 0, to: count, bits, others }
}
