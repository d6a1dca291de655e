import type { TimeSpan } from "../../../../domain/analytics/time/Buckets.ts"
import type { WorkingMemory } from "../file/ColumnCache.ts"
import type { Codes } from "../format/Column.ts"
import { columnName } from "../format/ColumnName.ts"
import { numbersColumn } from "../read/NumbersColumn.ts"
import { Places, type Selection } from "../read/Selection.ts"

/**
 * The group of each row of a block: `table[values[row]]` (-1 for none), or `values[row]` itself if there is no table.
 */
export interface RowGroups {
  readonly values: Codes["codes"]
  readonly table: Int32Array | null
  /** How often each value occurs in the whole selection, where that is known without counting. */
  readonly counts: Uint32Array | null
  /** The column whose codes the values are; null where they are not those of one column. */
  readonly column: string | null
}

/** The same, numbered by the groups that a grid shows. */
export interface ShownGroups extends RowGroups {
  readonly table: Int32Array
}

/** The rows that a metric counts, and the group of each. */
export interface GroupedRows {
  readonly selections: ReadonlyArray<Selection>
  /** The group of each row, one entry a selection; null when there is only one group. */
  readonly groups: ReadonlyArray<RowGroups | null>
}

/** The same, with the memory that what is gathered of them takes. */
export interface MeasuredRows extends GroupedRows {
  readonly memory: WorkingMemory
}

/** The cells that a metric is counted by: one for each group and range. A cell's number is group * ranges + range. */
export interface Grid {
  readonly ranges: ReadonlyArray<TimeSpan>
  readonly groups: number
  /** Maps a group of the population to one of the grid, -1 for none. Null when there is only one group. */
  readonly remap: Int32Array | null
}

/** The part of a selection that falls into one range of a grid. */
export interface Run {
  readonly rows: Uint32Array | null
  readonly from: number
  readonly to: number
  /** Whether the run covers the whole selection. */
  readonly isWhole: boolean
  /** Null when there is only one group. */
  readonly groups: ShownGroups | null
  /** The index of the selection in the population. */
  readonly at: number
}

const shownGroups = (groups: RowGroups | null | undefined, remap: Int32Array | null): ShownGroups | null => {
  if (groups === null || groups === undefined || remap === null) return null
  const { values, table } = groups
  return { ...groups, values, table: table === null ? remap : table.map((group) => (group < 0 ? -1 : remap[group]!)) }
}

/** For each range, the runs of the population in it, in the order of the selections. */
export const runsOf = (
  { selections, groups }: GroupedRows,
  ranges: ReadonlyArray<TimeSpan>,
  remap: Int32Array | null
): ReadonlyArray<Array<Run>> => {
  const runs = ranges.map((): Array<Run> => [])
  for (const [at, selection] of selections.entries()) {
    const { block, rows } = selection
    const { firstTimestamp, lastTimestamp } = block
    const own = shownGroups(groups[at], remap)
    const places = new Places(selection)
    for (let index = 0; index < ranges.length; index++) {
      const range = ranges[index]!
      if (range.to <= firstTimestamp || range.from > lastTimestamp) continue
      const from = places.at(range.from)
      const to = places.at(range.to)
      const isWhole = from === selection.from && to === selection.to
      if (from < to) runs[index]!.push({ rows, from, to, isWhole, groups: own, at })
    }
  }
  return runs
}

/**
 * What is decoded of the block of each selection: opened at its first run and let go with its last, because a question may be of more blocks
 * than there is memory for.
 */
export class OpenBlocks<Decoded> {
  private readonly decode: (at: number) => Decoded
  private readonly lastRanges = new Map<number, number>()
  private readonly open = new Map<number, Decoded>()

  constructor(runs: ReadonlyArray<ReadonlyArray<Run>>, decode: (at: number) => Decoded) {
    this.decode = decode
    for (const [range, own] of runs.entries()) for (const { at } of own) this.lastRanges.set(at, range)
  }

  /** Of the selection at this place, for its run in the range: to be asked for once a run, ranges in ascending order. */
  of(at: number, range: number): Decoded {
    const decoded = this.open.get(at) ?? this.decode(at)
    if (this.lastRanges.get(at) === range) this.open.delete(at)
    else this.open.set(at, decoded)
    return decoded
  }
}

/** The numbers of an argument in the block of each selection; NaN where there is none. */
export const openNumbers = (
  { selections }: GroupedRows,
  runs: ReadonlyArray<ReadonlyArray<Run>>,
  argument: string
): OpenBlocks<Float64Array> =>
  new OpenBlocks(runs, (at) => {
    const { block } = selections[at]!
    return numbersColumn(block.column(columnName.argument(argument)), block.rows)
  })

/** The runs of `runsOf` in blocks in which some row has a value of the argument: a type that never has it is not read, nor is there room for it. */
export const runsWith = (
  population: GroupedRows,
  { ranges, remap }: Pick<Grid, "ranges" | "remap">,
  argument: string
): ReadonlyArray<ReadonlyArray<Run>> => {
  const name = columnName.argument(argument)
  const has = population.selections.map(({ block }) => block.columnNames.includes(name))
  return runsOf(population, ranges, remap).map((runs) => runs.filter(({ at }) => has[at]))
}

/** For each cell, how many rows of the runs come before those of it; at the end, how many there are. Cells of a group stand beside each other. */
export const startsOfCells = (runs: ReadonlyArray<ReadonlyArray<Run>>, { ranges, groups }: Grid): Uint32Array => {
  const starts = new Uint32Array(groups * ranges.length + 1)
  for (const [bucket, own] of runs.entries())
    for (const { rows, from, to, groups: shown } of own)
      for (let place = from; place < to; place++) {
        const group = shown === null ? 0 : shown.table[shown.values[rows === null ? place : rows[place]!]!]!
        if (group >= 0) starts[group * ranges.length + bucket + 1]!++
      }
  for (let cell = 1; cell < starts.length; cell++) starts[cell]! += starts[cell - 1]!
  return starts
}

/** Calls `take` with the cell and the value of each row that has a number for the argument. */
export const eachValue = (
  population: GroupedRows,
  grid: Grid,
  argument: string,
  take: (cell: number, value: number, row: number, at: number) => void
): void => {
  const { ranges } = grid
  const all = runsWith(population, grid, argument)
  const numbers = openNumbers(population, all, argument)
  for (const [bucket, runs] of all.entries()) {
    for (const { rows, from, to, groups, at } of runs) {
      const values = numbers.of(at, bucket)
      for (let place = from; place < to; place++) {
        const row = rows === null ? place : rows[place]!
        const value = values[row]!
        const group = groups === null ? 0 : groups.table[groups.values[row]!]!
        if (group >= 0 && !Number.isNaN(value)) take(group * ranges.length + bucket, value, row, at)
      }
    }
  }
}
