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

/** The words of 32 bits that are kept of each row. */
const wordsOfRow = (kept: Kept): number =>
  2 + (kept.isNarrow ? 0 : 1) + (kept.sequences ? 2 : 0) + (kept.exclusions ? 1 : 0) + kept.numberings

/** Bytes that are kept of each row. */
export const bytesOfRow = (kept: Kept): number => 4 * wordsOfRow(kept)

const wordValues = 2 ** 32

/** Narrow steps share a word with the upper part of the time, for which these bits are enough for 8,900 years. */
const upperTimeBits = 16

/**
 * Rows of several units, those of a unit beside each other and nearly in order. What is kept of a row is one record of words, because
 * a row is written far from the one before it: an array for each kind of value would wait for the memory once for each of them.
 */
export class GatheredRows {
  readonly words: Uint32Array
  private readonly kept: Kept
  private readonly firstTimestamp: number
  private readonly stride: number
  /** The places of values in a record: the time is first. */
  private readonly sequence: number
  private readonly exclusion: number
  private readonly numbers: number
  /** Of the unit whose rows are put in order. */
  private times = new Float64Array(64)
  private sequences = new Float64Array(64)
  private order = new Uint32Array(64)

  /**
   * No row is of before `firstTimestamp`. All records share one buffer. glibc gives a buffer of more than 32 MB back when it is freed; a smaller
   * one it keeps for later, and lets what it keeps grow with it.
   */
  constructor(kept: Kept, length: number, firstTimestamp: number) {
    this.kept = kept
    this.firstTimestamp = firstTimestamp
    this.stride = wordsOfRow(kept)
    this.sequence = kept.isNarrow ? 2 : 3
    this.exclusion = this.sequence + (kept.sequences ? 2 : 0)
    this.numbers = this.exclusion + (kept.exclusions ? 1 : 0)
    this.words = new Uint32Array(this.stride * length)
  }

  write(place: number, time: number, steps: number): void {
    const at = place * this.stride
    const elapsed = time - this.firstTimestamp
    const upper = Math.floor(elapsed / wordValues)
    this.words[at] = elapsed - upper * wordValues
    this.words[at + 1] = this.kept.isNarrow ? upper | (steps << upperTimeBits) : upper
    if (!this.kept.isNarrow) this.words[at + 2] = steps
  }

  writeSequence(place: number, sequence: number): void {
    const at = place * this.stride + this.sequence
    const upper = Math.floor(sequence / wordValues)
    this.words[at] = sequence - upper * wordValues
    this.words[at + 1] = upper
  }

  writeExclusions(place: number, exclusions: number): void {
    this.words[place * this.stride + this.exclusion] = exclusions
  }

  /** The number that the row has of the numbering with this index. */
  writeNumber(place: number, numbering: number, number: number): void {
    this.words[place * this.stride + this.numbers + numbering] = number
  }

  /** Writes the rows of one unit, which begin at `from`, into the track, ordered. */
  fill(track: UnitTrack, from: number, length: number): void {
    const { words, stride, kept } = this
    this.load(from, length)
    const order = this.sorted(length)
    track.length = length
    for (let place = 0; place < length; place++) {
      const row = order[place]!
      const at = (from + row) * stride
      track.times[place] = this.times[row]!
      track.steps[place] = kept.isNarrow ? words[at + 1]! >>> upperTimeBits : words[at + 2]!
      if (kept.sequences) track.sequences[place] = this.sequences[row]!
      if (kept.exclusions) track.exclusions[place] = words[at + this.exclusion]!
      for (let own = 0; own < kept.numberings; own++) track.numbers[own]![place] = words[at + this.numbers + own]!
    }
  }

  /** Reads what the rows are ordered by. */
  private load(from: number, length: number): void {
    const { words, stride, kept, firstTimestamp } = this
    if (this.times.length < length) {
      this.times = new Float64Array(length * 2)
      this.sequences = new Float64Array(length * 2)
      this.order = new Uint32Array(length * 2)
    }
    const { times, sequences } = this
    const upperTime = kept.isNarrow ? 2 ** upperTimeBits - 1 : -1
    for (let place = 0, at = from * stride; place < length; place++, at += stride) {
      times[place] = firstTimestamp + (words[at + 1]! & upperTime) * wordValues + words[at]!
      if (!kept.sequences) continue
      sequences[place] = words[at + this.sequence + 1]! * wordValues + words[at + this.sequence]!
    }
  }

  private sorted(length: number): Uint32Array {
    const order = this.order.subarray(0, length)
    for (let place = 0; place < length; place++) order[place] = place
    if (length > insertedRows) return order.sort((a, b) => this.compare(a, b))
    const { times } = this
    for (let end = 1; end < length; end++) {
      const before = order[end - 1]!
      if (times[before]! < times[end]!) continue
      let at = end
      for (; at > 0 && this.compare(order[at - 1]!, end) > 0; at--) order[at] = order[at - 1]!
      order[at] = end
    }
    return order
  }

  private compare(left: number, right: number): number {
    const { times, sequences } = this
    return times[left]! - times[right]! || (this.kept.sequences ? sequences[left]! - sequences[right]! : 0)
  }
}
