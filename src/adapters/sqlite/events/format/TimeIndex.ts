import type { ByteReader } from "../bytes/ByteReader.ts"
import type { ByteWriter } from "../bytes/ByteWriter.ts"
import { readDifferences, writeDifferences } from "../bytes/IntegerEncoding.ts"

/**
 * 15 minutes in ms. Every time zone in use is offset by a multiple of them, so every local day and hour begins at a
 * quarter hour.
 */
export const quarter = 900_000

/** The quarter hours in which a segment has rows (numbered since 1970), ascending, then the first row of each. */
export type TimeIndex = Float64Array

/** Whether a time index can find the first row at this instant (epoch ms). */
export const isIndexed = (instant: number): boolean => instant % quarter === 0

export const writeTimeIndex = (out: ByteWriter, times: Float64Array): void => {
  const quarters: Array<number> = []
  const rows: Array<number> = []
  for (let row = 0; row < times.length; row++) {
    const own = Math.floor(times[row]! / quarter)
    if (row > 0 && own === quarters[quarters.length - 1]) continue
    quarters.push(own)
    rows.push(row)
  }
  out.varint(quarters.length)
  writeDifferences(out, quarters)
  writeDifferences(out, rows)
}

export const readTimeIndex = (from: ByteReader): TimeIndex => {
  const count = from.varint()
  const index = new Float64Array(2 * count)
  index.set(readDifferences(from, count))
  index.set(readDifferences(from, count), count)
  return index
}

/** The first row at or after the instant (epoch ms); `times.length` if there is none. */
export const rowAt = (times: Float64Array, instant: number): number => {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (times[middle]! < instant) low = middle + 1
    else high = middle
  }
  return low
}

/** `rowAt` answered by a time index, for an instant that begins a quarter hour; `end` if no row is that late. */
export const indexedRowAt = (index: TimeIndex, instant: number, end: number): number => {
  const count = index.length / 2
  const at = rowAt(index.subarray(0, count), instant / quarter)
  // `| 0` makes V8 keep the row as an integer; loops that start from a double run more slowly.
  return at === count ? end : index[count + at]! | 0
}
