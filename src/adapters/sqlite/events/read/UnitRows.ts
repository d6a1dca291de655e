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

/** Slices of time in which `gather` visits the blocks in turn. */
const timeSlices = 2048

/** A visit of each block takes as long as some of its rows, so a slice of time should have more. */
const leastRowsOfSlice = 32

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
  private readonly wanted: Kept
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
      exclusions: unionOf(marks, "others") !== 0,
      blocks: this.blocks.length
    }
    this.starts = new Uint32Array(units + 2)
    this.count()
  }

  /** Calls `take` once for each unit with marked rows, and tells the control if there is one; units in ascending order of number. */
  each(take: (unit: number, track: UnitTrack) => void, control: Control | null = null): void {
    control?.follow(this.starts[this.units + 1]!)
    const parts = this.parts()
    const most = parts.reduce((rows, part) => Math.max(rows, this.rowsOf(part)), 0)
    this.memory.hold("rows", most * bytesOfRow(this.wanted))
    const all = new GatheredRows(this.wanted, most)
    let track = trackOf(64)
    for (const part of parts) {
      this.gather(all, part)
      for (let unit = part.first; unit < part.end; unit++) {
        const length = this.starts[unit + 1]! - this.starts[unit]!
        if (length === 0) continue
        if (track.times.length < length) track = trackOf(length * 2)
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

  /** Divides the units into parts: each has as many units as the working memory has room for, and at least one. */
  private parts(): ReadonlyArray<Part> {
    const most = Math.floor(this.memory.bytes / bytesOfRow(this.wanted))
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
  private gather(all: GatheredRows, part: Part): void {
    const { marked } = this
    const next = this.starts.slice(part.first, part.end)
    const offset = this.starts[part.first]!
    for (let at = 0; at < next.length; at++) next[at]! -= offset
    const first = marked.reduce((least, { block }) => Math.min(least, block.firstTimestamp), Infinity)
    const last = marked.reduce((most, { block }) => Math.max(most, block.lastTimestamp), -Infinity)
    const slices = Math.min(timeSlices, 1 + this.rowsOf(part) / leastRowsOfSlice)
    const slice = Math.max(1, (last - first) / slices)
    const open = new Map<number, Source>()
    let opened = 0
    for (let end = first + slice; ; end += slice) {
      const until = end >= last ? Infinity : end
      for (; opened < marked.length && marked[opened]!.block.firstTimestamp < until; opened++)
        open.set(opened, this.open(marked[opened]!))
      for (const [index, source] of open) {
        this.scatter(all, source, index, until, part, next)
        if (source.place === source.to) open.delete(index)
      }
      if (until === Infinity) return
    }
  }

  private scatter(
    all: GatheredRows,
    source: Source,
    index: number,
    until: number,
    part: Part,
    next: Uint32Array
  ): void {
    const { rows, to, bits, others, ids, times, sequences } = source
    const { exclusions, rows: places } = this.wanted
    const { first, end } = part
    let place = source.place
    for (; place < to; place++) {
      const row = rows === null ? place : rows[place]!
      const time = times[row]!
      if (time >= until) break
      const unit = ids[row]!
      if (unit < first || unit >= end) continue
      const at = next[unit - first]!++
      all.times[at] = time
      all.steps[at] = typeof bits === "number" ? bits : bits[row]!
      if (exclusions) all.exclusions[at] = typeof others === "number" ? others : others[row]!
      if (sequences !== null) all.sequences[at] = sequences[row]!
      if (!places) continue
      all.blocks[at] = index
      all.rows[at] = row
    }
    source.place = place
  }
}
