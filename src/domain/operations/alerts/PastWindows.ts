/** The hours of a week. */
export const mostSlots = 168

/** A window of time: what was counted in it, of how many. */
export interface CountedWindow {
  /** Windows of one slot are compared with each other: the hour of the week (0 to 167), or its day. */
  readonly slot: number
  /** Not negative. */
  readonly count: number
  /** How many the count is a part of; 1 where it is no part of anything. */
  readonly of: number
}

/** The newest windows of each slot, at most `weeks`, in arrays by slot: they are gone through at every look. */
export class PastWindows {
  readonly counts: Float64Array
  readonly ofs: Float64Array
  readonly known = new Uint8Array(mostSlots)
  readonly weeks: number

  constructor(windows: ReadonlyArray<CountedWindow | null>, to: number, weeks: number) {
    this.weeks = weeks
    this.counts = new Float64Array(mostSlots * weeks)
    this.ofs = new Float64Array(mostSlots * weeks)
    for (let index = to - 1; index >= 0; index--) {
      const window = windows[index]
      if (window === null || window === undefined) continue
      const known = this.known[window.slot]!
      if (known === weeks) continue
      this.counts[window.slot * weeks + known] = window.count
      this.ofs[window.slot * weeks + known] = window.of
      this.known[window.slot] = known + 1
    }
  }

  /** The counts of a slot and what they are of. */
  slot(slot: number): { readonly counts: Float64Array; readonly ofs: Float64Array } {
    const from = slot * this.weeks
    const to = from + this.known[slot]!
    return { counts: this.counts.subarray(from, to), ofs: this.ofs.subarray(from, to) }
  }

  /** For each week back, the newest first, the sum of counts over what they are of; slots of which a week is not known are left out. */
  weekly(): ReadonlyArray<number> {
    return Array.from({ length: this.weeks }, (_, week) => {
      let count = 0
      let of = 0
      for (let slot = 0; slot < mostSlots; slot++) {
        if (this.known[slot] !== this.weeks) continue
        count += this.counts[slot * this.weeks + week]!
        of += this.ofs[slot * this.weeks + week]!
      }
      return of === 0 ? 0 : count / of
    })
  }

  /** Takes a growth of so much a week out of all counts, as if every week had the level of the one that is judged. */
  raise(growth: number): void {
    for (let week = 0; week < this.weeks; week++) {
      const factor = growth ** (week + 1)
      for (let slot = 0; slot < mostSlots; slot++) this.counts[slot * this.weeks + week]! *= factor
    }
  }
}
