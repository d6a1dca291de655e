import type { Codes } from "../format/Column.ts"

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
  else if (counts.length > other.length || counts.length * 4 > to - from)
    for (let row = from; row < to; row++) counts[values[row]!]!++
  else tallyPairs(values, from, to, counts)
}

const tallyPairs = (values: Codes["codes"], from: number, to: number, counts: Uint32Array): void => {
  other.fill(0, 0, counts.length)
  let row = from
  for (; row + 1 < to; row += 2) {
    counts[values[row]!]!++
    other[values[row + 1]!]!++
  }
  if (row < to) counts[values[row]!]!++
  for (let value = 0; value < counts.length; value++) counts[value]! += other[value]!
}
