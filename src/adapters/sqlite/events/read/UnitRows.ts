import type { Control } from "./Control.ts"
import type { WorkingMemory } from "../file/ColumnCache.ts"
import type { RowBlock } from "../file/RowBlock.ts"
import { bytesOfRow, type Gathered, GatheredRows, type Kept, trackOf, type UnitTrack } from "./GatheredRows.ts"
import {
  bytesOfJoined,
  isNarrow,
  joined,
  type RowMark,
  type MarkedBlock,
  markedBlocks,
  type MarkedRows,
  unionOf
} from "./MarkedRows.ts"

/** Marked rows with what is gathered of them. */
interface Source extends MarkedRows {
  readonly ids: Uint32Array
  readonly times: Float64Array
  /** Null where nobody asks for them. */
  readonly sequences: Float64Array | null
  place: number
}

/** What rows are gathered into. */
interface Target {
  readonly all: GatheredRows
  readonly part: Part
  /** For each unit of the part, the place of its next row. */
  readonly next: Uint32Array
  readonly numberings: ReadonlyArray<RowNumber>
}

/** Slices of time in which `gather` visits the blocks in turn. */
const timeSlices = 2048

/** A visit of each block takes as long as some of its rows, so a slice of time should have more. */
const leastRowsOfSlice = 32

/** The number that a row of the block with this index in `UnitRows.blocks` has, a whole one of 32 bits; asked once for each row that is gathered. */
export type RowNumber = (unit: number, block: number, row: number) => number

/** Units that are gathered together: from `first` up to but not `end`. */
interface Part {
  readonly first: number
  readonly end: number
}

/**
 * Marked rows sorted by unit (a counting sort), so that a scan can visit the units one by one. Where all rows together take more than the
 * working memory, they are gathered in parts of so many units as find room, and the blocks are read once for each part.
 */
export class UnitRows {
  readonly blocks: ReadonlyArray<RowBlock>
  private readonly marked: ReadonlyArray<MarkedBlock>
  private readonly units: number
  private readonly wanted: Omit<Kept, "numberings">
  private readonly memory: WorkingMemory
  /** By unit, how many rows those before it have. */
  private readonly starts: Uint32Array
  /** The joined rows of blocks, kept from counting until gathering while there is memory for them. */
  private readonly kept = new Map<RowBlock, MarkedRows>()

  constructor(marks: ReadonlyArray<RowMark>, units: number, gathered: Gathered, memory: WorkingMemory) {
    this.units = units
    this.memory = memory
    this.marked = markedBlocks(marks)
    this.blocks = this.marked.map(({ block }) => block)
    this.wanted = {
      ...gathered,
      isNarrow: isNarrow(marks),
      exclusions: unionOf(marks, "others") !== 0
    }
    this.starts = new Uint32Array(units + 2)
    this.count()
  }

  /**
   * Calls `take` once for each unit with marked rows, and tells the control if there is one; units in ascending order of number. Rows get a
   * number of each of the numberings while the blocks are read, because that is the order in which their values are found soonest.
   */
  each(
    take: (unit: number, track: UnitTrack) => void,
    control: Control | null = null,
    numberings: ReadonlyArray<RowNumber> = []
  ): void {
    control?.follow(this.starts[this.units + 1]!)
    const kept: Kept = { ...this.wanted, numberings: numberings.length }
    const parts = this.parts(bytesOfRow(kept))
    const most = parts.reduce((rows, part) => Math.max(rows, this.rowsOf(part)), 0)
    this.memory.hold("rows", most * bytesOfRow(kept))
    const all = new GatheredRows(kept, most, this.firstTimestamp)
    let track = trackOf(64, numberings.length)
    for (const part of parts) {
      this.gather(all, part, numberings)
      for (let unit = part.first; unit < part.end; unit++) {
        const length = this.starts[unit + 1]! - this.starts[unit]!
        if (length === 0) continue
        if (track.times.length < length) track = trackOf(length * 2, numberings.length)
        all.fill(track, this.starts[unit]! - this.starts[part.first]!, length)
        take(unit, track)
        control?.did(length)
      }
    }
  }

  private count(): void {
    const { starts, units, marked, memory } = this
    const bytes = marked.reduce((sum, each) => sum + bytesOfJoined(each), 0)
    for (const each of marked) {
      const found = joined(each)
      if (bytes <= memory.bytes / 2) this.kept.set(each.block, found)
      const { rows, from, to } = found
      const ids = each.block.units()
      for (let place = from; place < to; place++) starts[ids[rows === null ? place : rows[place]!]! + 1]!++
    }
    starts[1] = 0
    for (let unit = 1; unit <= units; unit++) starts[unit + 1]! += starts[unit]!
  }

  private rowsOf({ first, end }: Part): number {
    return this.starts[end]! - this.starts[first]!
  }

  private get firstTimestamp(): number {
    return this.marked.reduce((least, { block }) => Math.min(least, block.firstTimestamp), Infinity)
  }

  /** Divides the units into parts: each has as many units as the working memory has room for, and at least one. */
  private parts(bytesOfEach: number): ReadonlyArray<Part> {
    const most = Math.floor(this.memory.bytes / bytesOfEach)
    const parts: Array<Part> = []
    let first = 1
    for (let unit = 1; unit < this.units; unit++) {
      if (unit === first || this.rowsOf({ first, end: unit + 1 }) <= most) continue
      parts.push({ first, end: unit })
      first = unit
    }
    return first < this.units ? [...parts, { first, end: this.units }] : parts
  }

  private open(each: MarkedBlock): Source {
    const { block } = each
    const found = this.kept.get(block) ?? joined(each)
    const [ids, times] = [block.units(), block.times()]
    const sequences = this.wanted.sequences ? block.sequences() : null
    return { ...found, ids, times, sequences, place: found.from }
  }

  /**
   * Visits the blocks one slice of time after the other, so that the rows of a unit arrive nearly in order even when
   * blocks overlap. What is decoded of a block is held from its first slice to its last.
   */
  private gather(all: GatheredRows, part: Part, numberings: ReadonlyArray<RowNumber>): void {
    const { marked } = this
    const next = this.starts.slice(part.first, part.end)
    const offset = this.starts[part.first]!
    for (let at = 0; at < next.length; at++) next[at]! -= offset
    const first = this.firstTimestamp
    const last = marked.reduce((most, { block }) => Math.max(most, block.lastTimestamp), -Infinity)
    const slices = Math.min(timeSlices, 1 + this.rowsOf(part) / leastRowsOfSlice)
    const slice = Math.max(1, (last - first) / slices)
    const target: Target = { all, part, next, numberings }
    const open = new Map<number, Source>()
    let opened = 0
    for (let end = first + slice; ; end += slice) {
      const until = end >= last ? Infinity : end
      for (; opened < marked.length && marked[opened]!.block.firstTimestamp < until; opened++)
        open.set(opened, this.open(marked[opened]!))
      for (const [index, source] of open) {
        this.scatter(target, source, index, until)
        if (source.place === source.to) open.delete(index)
      }
      if (until === Infinity) return
    }
  }

  private scatter({ all, part, next, numberings }: Target, source: Source, index: number, until: number): void {
    const { rows, to, bits, others, ids, times, sequences } = source
    const { exclusions } = this.wanted
    const { first, end } = part
    let place = source.place
    for (; place < to; place++) {
      const row = rows === null ? place : rows[place]!
      const time = times[row]!
      if (time >= until) break
      const unit = ids[row]!
      if (unit < first || unit >= end) continue
      const at = next[unit - first]!++
      all.write(at, time, typeof bits === "number" ? bits : bits[row]!)
      if (exclusions) all.writeExclusions(at, typeof others === "number" ? others : others[row]!)
      if (sequences !== null) all.writeSequence(at, sequences[row]!)
      for (let each = 0; each < numberings.length; each++)
        all.writeNumber(at, each, numberings[each]!(unit, index, row))
    }
    source.place = place
  }
}
