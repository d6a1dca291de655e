import { bitsFor } from "../bytes/BitPacking.ts"

/** The average number of rows that share one place of the table. */
const rowsPerPlace = 8

/** The sizes of a table: it has `2 ** places` places, and the lowest `rows` bits of an entry are its row. */
interface Layout {
  readonly places: number
  readonly rows: number
}

const layoutOf = (rows: number): Layout => {
  const bits = bitsFor(rows)
  return { places: Math.max(0, bits - bitsFor(rowsPerPlace - 1)), rows: bits }
}

/** Unit numbers from this one on do not fit beside a row into 32 bits. */
const unitsEnd = ({ places, rows }: Layout): number => 2 ** (places + 32 - rows)

/**
 * Finds the rows of a unit: the end of each place, then the entries of one place after the other, ascending by row. The lowest bits of a
 * unit's number are its place, the others stand in the entry. Empty where a number is too large.
 */
export const unitTable = (units: Uint32Array): Uint32Array => {
  const layout = layoutOf(units.length)
  const count = 2 ** layout.places
  const [mask, end] = [count - 1, unitsEnd(layout)]
  const table = new Uint32Array(count + units.length)
  for (let row = 0; row < units.length; row++) {
    if (units[row]! >= end) return new Uint32Array(0)
    table[units[row]! & mask]!++
  }
  for (let place = 0, start = 0; place < count; place++) {
    const own = table[place]!
    table[place] = start
    start += own
  }
  for (let row = 0; row < units.length; row++) {
    const unit = units[row]!
    const at = table[unit & mask]!++
    table[count + at] = ((unit >>> layout.places) << layout.rows) | row
  }
  return table
}

/** The rows of the unit, ascending, in a block of so many rows. */
export const rowsInTable = (table: Uint32Array, rows: number, unit: number): Array<number> => {
  const layout = layoutOf(rows)
  const count = 2 ** layout.places
  const place = unit & (count - 1)
  const [rest, mask] = [unit >>> layout.places, 2 ** layout.rows - 1]
  const end = table[place]!
  const found: Array<number> = []
  for (let at = place === 0 ? 0 : table[place - 1]!; at < end; at++) {
    const entry = table[count + at]!
    if (entry >>> layout.rows === rest) found.push(entry & mask)
  }
  return found
}

/** The rows of the unit, ascending. */
export const rowsAmong = (units: Uint32Array, unit: number): Array<number> => {
  const found: Array<number> = []
  for (let row = units.indexOf(unit); row >= 0; row = units.indexOf(unit, row + 1)) found.push(row)
  return found
}
