import type { Control } from "../read/Control.ts"
import type { Selection } from "../read/Selection.ts"
import type { RowBlock } from "../file/RowBlock.ts"

/**
 * Rows that matter to a question, and the bits they carry. A row of several marks carries the union of their `bits`,
 * and of their `others`.
 */
export interface Mark {
  readonly selection: Selection
  readonly bits: number
  readonly others: number
}

/** The marked rows of one block. A number in place of an array of bits applies to every row. */
interface Stream {
  readonly block: RowBlock
  readonly rows: Uint32Array | null
  readonly from: number
  readonly to: number
  readonly bits: Uint32Array | number
  readonly others: Uint32Array | number
}

/** A stream with what is gathered of its rows. */
interface Source extends Stream {
  readonly ids: Uint32Array
  readonly times: Float64Array
  /** Null where nobody asks for them. */
  readonly sequences: Float64Array | null
}

const joined = (block: RowBlock, marks: ReadonlyArray<Mark>): Stream => {
  const [only] = marks
  if (only !== undefined && marks.length === 1) return { ...only.selection, bits: only.bits, others: only.others }
  const bits = new Uint32Array(block.rows)
  const others = new Uint32Array(block.rows)
  const isMarked = new Uint8Array(block.rows)
  for (const { selection, bits: own, others: more } of marks) {
    const { rows, from, to } = selection
    for (let place = from; place < to; place++) {
      const row = rows === null ? place : rows[place]!
      bits[row]! |= own
      others[row]! |= more
      isMarked[row] = 1
    }
  }
  const rows = new Uint32Array(block.rows)
  let count = 0
  for (let row = 0; row < block.rows; row++) {
    rows[count] = row
    count += isMarked[row]!
  }
  return { block, rows, from: 0, to: count, bits, others }
}

const streamsOf = (marks: ReadonlyArray<Mark>): ReadonlyArray<Stream> => {
  const byBlock = new Map<RowBlock, Array<Mark>>()
  for (const mark of marks) {
    const own = byBlock.get(mark.selection.block)
    if (own === undefined) byBlock.set(mark.selection.block, [mark])
    else own.push(mark)
  }
  return [...byBlock]
    .map(([block, own]) => joined(block, own))
    .sort((a, b) => a.block.firstTimestamp - b.block.firstTimestamp)
}

/** Slices of time in which `gather` visits the blocks in turn. */
const timeSlices = 2048

/**
 * Up to this many rows of a unit are put in order by insertion, which is fast because they are nearly in order already.
 */
const insertedRows = 2000

/** What is collected beside times and bits. */
export interface Gathered {
  /** Collect sequences, and order rows of one instant by them; otherwise such rows are in any order. */
  readonly sequences: boolean
  /** Collect each entry's block and row, so that values can be read from them. */
  readonly rows: boolean
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
  /** The index of each row's block in `UnitRows.blocks`. */
  blocks: Uint32Array
  rows: Uint32Array
}

const trackOf = (capacity: number): UnitTrack => ({
  length: 0,
  times: new Float64Array(capacity),
  sequences: new Float64Array(capacity),
  steps: new Uint32Array(capacity),
  exclusions: new Uint32Array(capacity),
  blocks: new Uint32Array(capacity),
  rows: new Uint32Array(capacity)
})

/** Marked rows sorted by unit (a counting sort), so that a scan can visit the units one by one. */
export class UnitRows {
  readonly blocks: ReadonlyArray<RowBlock>
  private readonly units: number
  private readonly gathered: Gathered
  private readonly starts: Uint32Array
  private readonly all: UnitTrack
  private order = new Uint32Array(64)

  constructor(marks: ReadonlyArray<Mark>, units: number, gathered: Gathered) {
    this.units = units
    this.gathered = gathered
    // Of no use after this: they hold about as many bytes as what is gathered of them.
    const sources = streamsOf(marks).map((stream): Source => ({
      ...stream,
      ids: stream.block.units(),
      times: stream.block.times(),
      sequences: gathered.sequences ? stream.block.sequences() : null
    }))
    this.blocks = sources.map(({ block }) => block)
    this.starts = new Uint32Array(units + 2)
    for (const { ids, rows, from, to } of sources)
      for (let place = from; place < to; place++) this.starts[ids[rows === null ? place : rows[place]!]! + 1]!++
    this.starts[1] = 0
    for (let unit = 1; unit <= units; unit++) this.starts[unit + 1]! += this.starts[unit]!
    const total = this.starts[units + 1]!
    this.all = {
      length: total,
      times: new Float64Array(total),
      sequences: new Float64Array(gathered.sequences ? total : 0),
      steps: new Uint32Array(total),
      exclusions: new Uint32Array(total),
      blocks: new Uint32Array(gathered.rows ? total : 0),
      rows: new Uint32Array(gathered.rows ? total : 0)
    }
    this.gather(sources)
  }

  /** Calls `take` once for each unit with marked rows, and tells the control if there is one; units in ascending order of number. */
  each(take: (unit: number, track: UnitTrack) => void, control: Control | null = null): void {
    control?.follow(this.all.length)
    let track = trackOf(64)
    for (let unit = 1; unit < this.units; unit++) {
      const from = this.starts[unit]!
      const length = this.starts[unit + 1]! - from
      if (length === 0) continue
      if (track.times.length < length) track = trackOf(length * 2)
      this.fill(track, from, length)
      take(unit, track)
      control?.did(length)
    }
  }

  /**
   * Visits the blocks one slice of time after the other, so that the rows of a unit arrive nearly in order even when
   * blocks overlap.
   */
  private gather(sources: ReadonlyArray<Source>): void {
    const next = this.starts.slice()
    const first = sources.reduce((least, { block }) => Math.min(least, block.firstTimestamp), Infinity)
    const last = sources.reduce((most, { block }) => Math.max(most, block.lastTimestamp), -Infinity)
    const places = sources.map(({ from }) => from)
    const slice = Math.max(1, (last - first) / timeSlices)
    for (let end = first + slice; ; end += slice) {
      const until = end >= last ? Infinity : end
      for (const [index, source] of sources.entries())
        if (source.block.firstTimestamp < until && places[index]! < source.to)
          places[index] = this.scatter(source, index, places[index]!, until, next)
      if (until === Infinity) return
    }
  }

  private scatter(source: Source, index: number, from: number, until: number, next: Uint32Array): number {
    const { rows, to, bits, others, ids, times, sequences } = source
    const { all, gathered } = this
    for (let place = from; place < to; place++) {
      const row = rows === null ? place : rows[place]!
      const time = times[row]!
      if (time >= until) return place
      const unit = ids[row]!
      if (unit === 0) continue
      const at = next[unit]!++
      all.times[at] = time
      all.steps[at] = typeof bits === "number" ? bits : bits[row]!
      all.exclusions[at] = typeof others === "number" ? others : others[row]!
      if (sequences !== null) all.sequences[at] = sequences[row]!
      if (!gathered.rows) continue
      all.blocks[at] = index
      all.rows[at] = row
    }
    return to
  }

  private fill(track: UnitTrack, from: number, length: number): void {
    const { all, gathered } = this
    const order = this.sorted(from, length)
    track.length = length
    for (let place = 0; place < length; place++) {
      const at = order[place]!
      track.times[place] = all.times[at]!
      track.steps[place] = all.steps[at]!
      track.exclusions[place] = all.exclusions[at]!
      if (gathered.sequences) track.sequences[place] = all.sequences[at]!
      if (!gathered.rows) continue
      track.blocks[place] = all.blocks[at]!
      track.rows[place] = all.rows[at]!
    }
  }

  private sorted(from: number, length: number): Uint32Array {
    if (this.order.length < length) this.order = new Uint32Array(length * 2)
    const order = this.order.subarray(0, length)
    for (let place = 0; place < length; place++) order[place] = from + place
    if (length > insertedRows) return order.sort((a, b) => this.compare(a, b))
    const { times } = this.all
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
    const { times, sequences } = this.all
    return times[left]! - times[right]! || (this.gathered.sequences ? sequences[left]! - sequences[right]! : 0)
  }
}
