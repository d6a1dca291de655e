import { type Column } from "./Column.ts"

/** The rows of a segment that is to be written, in any order. All arrays and columns are by row. */
export interface SegmentRows {
  /** Null when the rows are of several types. */
  readonly type: string | null
  readonly rows: number
  /** Timestamps in epoch milliseconds. */
  readonly times: ArrayLike<number>
  readonly sequences: ArrayLike<number>
  readonly units: ArrayLike<number>
  readonly sessions: ArrayLike<number>
  readonly columnNames: Iterable<string>
  /** Undefined when no row has a value in it. */
  column(name: string): Column | undefined
}

type Sorted = Pick<SegmentRows, "times" | "sequences">

const comparing =
  ({ times, sequences }: Sorted) =>
  (a: number, b: number): number =>
    times[a]! - times[b]! || sequences[a]! - sequences[b]!

/**
 * Row numbers ordered by (timestamp, sequence). Nearly all rows come in order: only those that come before the last of these are sorted, and
 * then both are merged.
 */
export const orderOf = ({ times, sequences }: Sorted): Uint32Array => {
  const rows = times.length
  const compare = comparing({ times, sequences })
  const order = new Uint32Array(rows)
  const late = new Uint32Array(rows)
  let [inOrder, others] = [0, 0]
  for (let row = 0; row < rows; row++) {
    const last = order[inOrder - 1]
    if (last === undefined || compare(last, row) < 0) order[inOrder++] = row
    else late[others++] = row
  }
  const sorted = late.subarray(0, others).sort(compare)
  // From the end on, so that no row is written over before it was moved.
  for (let at = rows - 1; others > 0; at--)
    order[at] =
      inOrder > 0 && compare(order[inOrder - 1]!, sorted[others - 1]!) > 0 ? order[--inOrder]! : sorted[--others]!
  return order
}
