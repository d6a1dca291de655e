import type { RowBlock } from "../file/RowBlock.ts"
import type { Snapshot } from "../read/Snapshot.ts"

/** What the rows of one block say of its units; entry i of each array is about unit `units[i]`. Instants are epoch ms. */
interface BlockTotals {
  readonly first: Float64Array
  readonly last: Float64Array
  readonly units: Uint32Array
  readonly counts: Uint32Array
}

const bytesOfUnit = 24

const parts = (buffer: ArrayBufferLike, offset: number, length: number): BlockTotals => ({
  first: new Float64Array(buffer, offset, length),
  last: new Float64Array(buffer, offset + 8 * length, length),
  units: new Uint32Array(buffer, offset + 16 * length, length),
  counts: new Uint32Array(buffer, offset + 20 * length, length)
})

/** Totals of a block in one array, so that a sealed block can keep them. `places`, by unit number, are zero before and after. */
const summed = (block: RowBlock, places: Uint32Array): Uint32Array => {
  const [units, times] = [block.units(), block.times()]
  const distinct = new Uint32Array(block.rows)
  let length = 0
  for (let row = 0; row < block.rows; row++) {
    const unit = units[row]!
    if (unit === 0 || places[unit] !== 0) continue
    distinct[length++] = unit
    places[unit] = length
  }
  const totals = parts(new ArrayBuffer(length * bytesOfUnit), 0, length)
  totals.units.set(distinct.subarray(0, length))
  for (let row = 0; row < block.rows; row++) {
    const at = places[units[row]!]! - 1
    if (at < 0) continue
    // Rows are in the order of time.
    if (totals.counts[at]!++ === 0) totals.first[at] = times[row]!
    totals.last[at] = times[row]!
  }
  for (let at = 0; at < length; at++) places[distinct[at]!] = 0
  return new Uint32Array(totals.units.buffer)
}

/** By unit number: the number of markers, and the times (epoch ms) of the first and of the last of them. */
export class UnitTotals {
  readonly counts: Uint32Array
  readonly first: Float64Array
  readonly last: Float64Array

  constructor({ environment, control }: Snapshot) {
    const { units } = environment
    this.counts = new Uint32Array(units)
    this.first = new Float64Array(units).fill(Infinity)
    this.last = new Float64Array(units).fill(-Infinity)
    const places = new Uint32Array(units)
    for (const block of environment.blocks) {
      this.add(block.derived("totals of units", () => summed(block, places)))
      control.advance(block.rows)
    }
  }

  private add(packed: Uint32Array): void {
    const { buffer, byteOffset, byteLength } = packed
    const { units, counts, first, last } = parts(buffer, byteOffset, byteLength / bytesOfUnit)
    for (let at = 0; at < units.length; at++) {
      const unit = units[at]!
      this.counts[unit]! += counts[at]!
      if (first[at]! < this.first[unit]!) this.first[unit] = first[at]!
      if (last[at]! > this.last[unit]!) this.last[unit] = last[at]!
    }
  }
}
