/**
 * Up to this many rows of a unit are put in order by insertion, which is fast because they are nearly in order already.
 */
const insertedRows = 2000

/** What is collected beside times and bits. */
export interface Gathered {
  /** Collect sequences, and order rows of one instant by them; otherwise such rows are in any order. */
  readonly sequences: boolean
}

/**
 * One unit's marked rows, ordered by (timestamp, sequence). The arrays are reused for the next unit, and only their
 * first `length` entries count.
 */
export interface UnitTrack {
  length: number
  times: Float64Array
  sequences: Float64Array
  /** The `bits` of each row. */
  steps: Uint32Array
  /** The `others` of each row. */
  exclusions: Uint32Array
  /** For each numbering, the number of each row. */
  numbers: ReadonlyArray<Int32Array>
}

export const trackOf = (capacity: number, numberings: number): UnitTrack => ({
  length: 0,
  times: new Float64Array(capacity),
  sequences: new Float64Array(capacity),
  steps: new Uint32Array(capacity),
  exclusions: new Uint32Array(capacity),
  numbers: Array.from({ length: numberings }, () => new Int32Array(capacity))
})

/** What is kept of each row, and how much of it there may be. */
export interface Kept extends Gathered {
  /** Whether eight bits of `steps` are enough. */
  readonly isNarrow: boolean
  readonly exclusions: boolean
  /** How many numbers of its own each row has. */
  readonly numberings: number
}

/** Bytes that are kept of each row. */
export const bytesOfRow = (kept: Kept): number =>
  8 + (kept.isNarrow ? 1 : 4) + (kept.sequences ? 8 : 0) + (kept.exclusions ? 4 : 0) + 4 * kept.numberings

/** Rows of several units, those of a unit beside each other and nearly in order. */
export class GatheredRows {
  readonly times: Float64Array
  readonly sequences: Float64Array
  readonly steps: Uint8Array | Uint32Array
  readonly exclusions: Uint32Array
  readonly numbers: ReadonlyArray<Int32Array>
  private readonly kept: Kept
  private order = new Uint32Array(64)

  /**
   * All arrays share one buffer. glibc gives a buffer of more than 32 MB back when it is freed; a smaller one it keeps for
   * later, and lets what it keeps grow with it.
   */
  constructor(kept: Kept, length: number) {
    const buffer = new ArrayBuffer(bytesOfRow(kept) * length)
    let used = 0
    const take = (bytes: number): number => {
      const at = used
      used += bytes
      return at
    }
    const [sequences, exclusions] = [kept.sequences ? length : 0, kept.exclusions ? length : 0]
    // The wider the numbers, the earlier their array: each begins at a multiple of its width.
    this.times = new Float64Array(buffer, take(8 * length), length)
    this.sequences = new Float64Array(buffer, take(8 * sequences), sequences)
    this.exclusions = new Uint32Array(buffer, take(4 * exclusions), exclusions)
    this.numbers = Array.from({ length: kept.numberings }, () => new Int32Array(buffer, take(4 * length), length))
    const steps = kept.isNarrow ? null : new Uint32Array(buffer, take(4 * length), length)
    this.steps = steps ?? new Uint8Array(buffer, take(length), length)
    this.kept = kept
  }

  /** Writes the rows of one unit, which begin at `from`, into the track, ordered. */
  fill(track: UnitTrack, from: number, length: number): void {
    const { sequences, exclusions, numberings } = this.kept
    const order = this.sorted(from, length)
    track.length = length
    for (let at = 0; at < numberings; at++) {
      const [own, all] = [track.numbers[at]!, this.numbers[at]!]
      for (let place = 0; place < length; place++) own[place] = all[order[place]!]!
    }
    for (let place = 0; place < length; place++) {
      const at = order[place]!
      track.times[place] = this.times[at]!
      track.steps[place] = this.steps[at]!
      if (exclusions) track.exclusions[place] = this.exclusions[at]!
      if (sequences) track.sequences[place] = this.sequences[at]!
    }
  }

  private sorted(from: number, length: number): Uint32Array {
    if (this.order.length < length) this.order = new Uint32Array(length * 2)
    const order = this.order.subarray(0, length)
    for (let place = 0; place < length; place++) order[place] = from + place
    if (length > insertedRows) return order.sort((a, b) => this.compare(a, b))
    const { times } = this
    for (let end = 1; end < length; end++) {
      const inserted = from + end
      const before = order[end - 1]!
      if (times[before]! < times[inserted]!) continue
      let at = end
      for (; at > 0 && this.compare(order[at - 1]!, inserted) > 0; at--) order[at] = order[at - 1]!
      order[at] = inserted
    }
    return order
  }

  private compare(left: number, right: number): number {
    const { times, sequences } = this
    return times[left]! - times[right]! || (this.kept.sequences ? sequences[left]! - sequences[right]! : 0)
  }
}
