import type { TimeSpan } from "../../../../domain/analytics/time/Buckets.ts"
import type { RowBlock } from "../file/RowBlock.ts"
import type { Codes } from "../format/Column.ts"
import { Places, type Selection } from "../read/Selection.ts"

const other = new Uint32Array(65_536)

/**
 * Adds to `counts` how often each value occurs in `rows[from..to)`, or in the rows `from..to` if `rows` is null. Where
 * counters are few, odd rows use a second set, because a CPU stalls when it reads a counter that it has just written.
 */
export const tally = (
  values: Codes["codes"],
  rows: Uint32Array | null,
  from: number,
  to: number,
  counts: Uint32Array
): void => {
  if (rows !== null) for (let place = from; place < to; place++) counts[values[rows[place]!]!]!++
  else if (counts.length > other.length || counts.length * 4 > to - from) tallyEach(values, from, to, counts)
  else tallyPairs(values, from, to, counts)
}

const tallyEach = (values: Codes["codes"], from: number, to: number, counts: Uint32Array): void => {
  for (let row = from; row < to; row++) counts[values[row]!]!++
}

/** A last row without a pair is counted by `tallyEach`: V8 compiles this function for widths of codes that it has seen at each place of it. */
const tallyPairs = (values: Codes["codes"], from: number, to: number, counts: Uint32Array): void => {
  other.fill(0, 0, counts.length)
  const paired = to - ((to - from) & 1)
  for (let row = from; row < paired; row += 2) {
    counts[values[row]!]!++
    other[values[row + 1]!]!++
  }
  tallyEach(values, paired, to, counts)
  for (let value = 0; value < counts.length; value++) counts[value]! += other[value]!
}

/** Counts are kept if a column has at least this many rows for each code: then they take far less memory than the column. */
const rowsPerKeptCount = 4

const countsKey = (from: number, to: number, name: string): string => `counts ${from} ${to} ${name}`

/** A column of a block by its name. */
export interface NamedCodes {
  readonly block: RowBlock
  readonly name: string
  readonly codes: Codes["codes"]
  /** One more than the highest code. */
  readonly size: number
}

/** How often each code occurs in the rows `from..to`; the same array for every question where the block keeps it. */
export const codeCounts = ({ block, name, codes, size }: NamedCodes, from: number, to: number): Uint32Array => {
  const count = () => {
    const counts = new Uint32Array(size)
    tally(codes, null, from, to, counts)
    return counts
  }
  return size * rowsPerKeptCount <= to - from ? block.derived(countsKey(from, to, name), count) : count()
}

/** Where the ranges, ascending, tile rows from the selection's first on: the places at which they end. */
const tiledEnds = (selection: Selection, ranges: ReadonlyArray<TimeSpan>): ReadonlyArray<number> => {
  const places = new Places(selection)
  const ends: Array<number> = []
  let start = selection.from
  for (const { from, to } of ranges) {
    if (places.at(from) !== start) break
    ends.push((start = places.at(to)))
  }
  return ends
}

/**
 * How often each code occurs in the selected rows. Where all rows are selected, those of each range are counted and added up: points over
 * time are made of the same counts, so that no row is counted twice.
 */
export const selectedCounts = (
  column: NamedCodes,
  selection: Selection,
  ranges: ReadonlyArray<TimeSpan>
): Uint32Array => {
  const { block, rows, from, to } = selection
  const count = () => {
    const counts = new Uint32Array(column.size)
    let start = from
    for (const end of rows === null ? tiledEnds(selection, ranges) : []) {
      if (start < end) addTo(counts, codeCounts(column, start, end))
      start = end
    }
    if (start < to) tally(column.codes, rows, start, to, counts)
    return counts
  }
  return rows === null ? block.derived(countsKey(from, to, column.name), count) : count()
}

const addTo = (counts: Uint32Array, own: Uint32Array): void => {
  for (let code = 0; code < counts.length; code++) counts[code]! += own[code]!
}
