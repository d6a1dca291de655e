import type { Selection } from "./Selection.ts"

/** Which of a unit's rows decides, in the order of (timestamp, sequence). */
export type Outermost = "first" | "last"

/** The code of each row of a selection; -1 for a row that does not count. */
export type CodesOf = (selection: Selection) => (row: number) => number

/** By unit number, the code of its outermost row so far, and where in time that stands. */
class Found {
  readonly codes: Int32Array
  private readonly which: Outermost
  private readonly times: Float64Array
  private readonly sequences: Float64Array
  /** By unit number, the last selection in which a row of the unit was picked. */
  private readonly picked: Uint32Array
  private selections = 0

  constructor(which: Outermost, units: number) {
    this.which = which
    this.codes = new Int32Array(units).fill(-1)
    this.times = new Float64Array(units).fill(which === "first" ? Infinity : -Infinity)
    this.sequences = new Float64Array(units)
    this.picked = new Uint32Array(units)
  }

  /** Looks at one row of each unit, the outermost of the block, and at its time only where that may matter. */
  add(selection: Selection, codeOf: (row: number) => number): void {
    const { block } = selection
    const rows = this.pick(selection, codeOf)
    if (rows.length === 0) return
    const [ids, times, sequences] = [block.units(), block.timesAt(rows), block.sequencesAt(rows)]
    for (let at = 0; at < rows.length; at++) {
      const unit = ids[rows[at]!]!
      if (!this.isOuter(unit, times[at]!, sequences[at]!)) continue
      this.times[unit] = times[at]!
      this.sequences[unit] = sequences[at]!
      this.codes[unit] = codeOf(rows[at]!)
    }
  }

  private pick({ block, rows, from, to }: Selection, codeOf: (row: number) => number): Uint32Array {
    const ids = block.units()
    const found: Array<number> = []
    const { which, times, picked } = this
    const own = ++this.selections
    const [first, end, step] = which === "first" ? [from, to, 1] : [to - 1, from - 1, -1]
    for (let place = first; place !== end; place += step) {
      const row = rows === null ? place : rows[place]!
      const unit = ids[row]!
      if (unit === 0 || picked[unit] === own) continue
      const isPast = which === "first" ? times[unit]! < block.firstTimestamp : times[unit]! > block.lastTimestamp
      if (isPast || codeOf(row) === -1) continue
      picked[unit] = own
      found.push(row)
    }
    return Uint32Array.from(which === "first" ? found : found.reverse())
  }

  private isOuter(unit: number, time: number, sequence: number): boolean {
    const order = time - this.times[unit]! || sequence - this.sequences[unit]!
    return this.which === "first" ? order < 0 : order > 0
  }
}

/**
 * By unit number, the code of the first or the last of its rows that have one; -1 for units without. Blocks are visited from the side of
 * the rows in question, so that the times of most others are never decoded: whoever was seen later than all of a block is passed over.
 */
export const outermostCodes = (
  which: Outermost,
  selections: ReadonlyArray<Selection>,
  units: number,
  codesOf: CodesOf
): Int32Array => {
  const found = new Found(which, units)
  const inOrder = selections.toSorted((a, b) =>
    which === "first" ? a.block.firstTimestamp - b.block.firstTimestamp : b.block.lastTimestamp - a.block.lastTimestamp
  )
  for (const selection of inOrder) found.add(selection, codesOf(selection))
  return found.codes
}
