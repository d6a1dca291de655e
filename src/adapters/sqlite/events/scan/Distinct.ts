import { type GroupedRows, type Grid, type MeasuredRows, OpenBlocks, type Run, runsOf, startsOfCells } from "./Grid.ts"
import { addRun, countUnits, noUnits, unite } from "./UnitBits.ts"

/** The number of distinct ids in each cell, and in each group over all ranges. */
export interface DistinctCounts {
  readonly cells: Float64Array
  readonly groups: Float64Array
}

/** Bits in one bitmap of groups × ids; 4 MB, which a processor keeps near. With more, ids are put beside each other by cell. */
const largestBitmap = 2 ** 25

/** The ids of the rows of a selection, by its place in the population. */
type Ids = (at: number) => Uint32Array

type Open = OpenBlocks<Uint32Array>

/** Counts for one group: `seen` holds the last range in which each id occurred. */
const countPlain = (
  runs: ReadonlyArray<ReadonlyArray<Run>>,
  ids: Open,
  size: number,
  cumulative: boolean
): DistinctCounts => {
  const cells = new Float64Array(runs.length)
  const seen = new Uint32Array(size)
  let total = 0
  for (const [bucket, own] of runs.entries()) {
    let count = 0
    let fresh = 0
    const stamp = bucket + 1
    for (const { rows, from, to, at } of own) {
      const values = ids.of(at, bucket)
      for (let place = from; place < to; place++) {
        const id = values[rows === null ? place : rows[place]!]!
        const last = seen[id]!
        if (last === stamp || id === 0) continue
        seen[id] = stamp
        count++
        if (last === 0) fresh++
      }
    }
    total += fresh
    cells[bucket] = cumulative ? total : count
  }
  return { cells, groups: Float64Array.of(total) }
}

/** Sets are united and counted instead of going through the rows if there are at least this many rows for each word of the sets. */
const rowsPerWord = 4

const isBySets = (runs: ReadonlyArray<ReadonlyArray<Run>>, size: number): boolean => {
  const rows = runs.reduce((sum, own) => own.reduce((all, { from, to }) => all + to - from, sum), 0)
  return rows >= rowsPerWord * runs.length * ((size + 31) >>> 5)
}

/** Counts units for one group by the sets of units that blocks keep of their rows. */
const countSets = (
  runs: ReadonlyArray<ReadonlyArray<Run>>,
  { selections }: GroupedRows,
  size: number,
  cumulative: boolean
): DistinctCounts => {
  const cells = new Float64Array(runs.length)
  const [current, all] = [noUnits(size), noUnits(size)]
  for (const [bucket, own] of runs.entries()) {
    current.fill(0)
    for (const run of own) addRun(selections[run.at]!.block, run, current)
    current[0]! &= ~1
    unite(all, current)
    cells[bucket] = countUnits(cumulative ? all : current)
  }
  return { cells, groups: Float64Array.of(countUnits(all)) }
}

/** Counts for several groups: one bit for each group and id, cleared before each range. */
const countGrouped = (
  runs: ReadonlyArray<ReadonlyArray<Run>>,
  ids: Open,
  size: number,
  { groups, ranges }: Grid,
  cumulative: boolean
): DistinctCounts => {
  const cells = new Float64Array(groups * ranges.length)
  const totals = new Float64Array(groups)
  const words = Math.ceil((groups * size) / 32)
  const current = new Uint32Array(words)
  const all = new Uint32Array(words)
  for (const [bucket, own] of runs.entries()) {
    if (own.length > 0) current.fill(0)
    for (const { rows, from, to, groups: shown, at } of own) {
      const values = ids.of(at, bucket)
      for (let place = from; place < to; place++) {
        const row = rows === null ? place : rows[place]!
        const group = shown === null ? 0 : shown.table[shown.values[row]!]!
        const id = values[row]!
        if (group < 0 || id === 0) continue
        const key = group * size + id
        const word = key >>> 5
        const bit = 1 << (key & 31)
        if ((current[word]! & bit) !== 0) continue
        current[word]! |= bit
        cells[group * ranges.length + bucket]!++
        if ((all[word]! & bit) !== 0) continue
        all[word]! |= bit
        totals[group]!++
      }
    }
    if (cumulative) for (let group = 0; group < groups; group++) cells[group * ranges.length + bucket] = totals[group]!
  }
  return { cells, groups: totals }
}

/** Groups that are counted together: from `first` up to but not `end`. */
interface GroupsPart {
  readonly first: number
  readonly end: number
}

/** Divides the groups into parts of at most so many rows, and at least one group. */
const partsOf = (starts: Uint32Array, { groups, ranges }: Grid, mostRows: number): ReadonlyArray<GroupsPart> => {
  const rowsBefore = (group: number): number => starts[group * ranges.length]!
  const parts: Array<GroupsPart> = []
  for (let first = 0; first < groups;) {
    let end = first + 1
    while (end < groups && rowsBefore(end + 1) - rowsBefore(first) <= mostRows) end++
    parts.push({ first, end })
    first = end
  }
  return parts
}

/**
 * Counts for more groups and ids than a bitmap holds: the ids of each cell are put beside each other, and counted by marks of the last cell and
 * group that each occurred in. Of many rows this is done for as many groups at a time as there is room for their ids.
 */
const countGathered = (
  population: MeasuredRows,
  runs: ReadonlyArray<ReadonlyArray<Run>>,
  ids: Ids,
  size: number,
  grid: Grid,
  cumulative: boolean
): DistinctCounts => {
  const width = grid.ranges.length
  const starts = startsOfCells(runs, grid)
  const cells = new Float64Array(grid.groups * width)
  const totals = new Float64Array(grid.groups)
  const [ofCell, ofGroup] = [new Uint32Array(size), new Uint32Array(size)]
  const countCell = (gathered: Uint32Array, offset: number, group: number, cell: number): void => {
    for (let at = starts[cell]! - offset; at < starts[cell + 1]! - offset; at++) {
      const id = gathered[at]!
      if (id === 0 || ofCell[id] === cell + 1) continue
      ofCell[id] = cell + 1
      cells[cell]!++
      if (ofGroup[id] === group + 1) continue
      ofGroup[id] = group + 1
      totals[group]!++
    }
    if (cumulative) cells[cell] = totals[group]!
  }
  for (const part of partsOf(starts, grid, population.memory.bytes / Uint32Array.BYTES_PER_ELEMENT)) {
    const gathered = gatherIds(population, runs, new OpenBlocks(runs, ids), starts, grid, part)
    const offset = starts[part.first * width]!
    for (let group = part.first; group < part.end; group++)
      for (let cell = group * width; cell < (group + 1) * width; cell++) countCell(gathered, offset, group, cell)
  }
  return { cells, groups: totals }
}

/** The ids of the rows of a part's groups, those of each cell beside each other. */
const gatherIds = (
  { memory }: MeasuredRows,
  runs: ReadonlyArray<ReadonlyArray<Run>>,
  ids: Open,
  starts: Uint32Array,
  { ranges: { length: width } }: Grid,
  { first, end }: GroupsPart
): Uint32Array => {
  const offset = starts[first * width]!
  const next = starts.slice(first * width, end * width)
  for (let cell = 0; cell < next.length; cell++) next[cell]! -= offset
  const gathered = new Uint32Array(starts[end * width]! - offset)
  memory.hold("values", gathered.byteLength)
  for (const [bucket, own] of runs.entries())
    for (const { rows, from, to, groups: shown, at } of own) {
      const values = ids.of(at, bucket)
      for (let place = from; place < to; place++) {
        const row = rows === null ? place : rows[place]!
        const group = shown === null ? 0 : shown.table[shown.values[row]!]!
        if (group >= first && group < end) gathered[next[(group - first) * width + bucket]!++] = values[row]!
      }
    }
  return gathered
}

/** Counts distinct units by cell. Unit 0 (nobody) is ignored. */
export const countDistinctUnits = (
  population: MeasuredRows,
  size: number,
  grid: Grid,
  cumulative: boolean
): DistinctCounts => {
  const runs = grid.remap === null ? runsOf(population, grid.ranges, null) : []
  return grid.remap === null && isBySets(runs, size)
    ? countSets(runs, population, size, cumulative)
    : countDistinct(population, (at) => population.selections[at]!.block.units(), size, grid, cumulative)
}

/**
 * Counts distinct ids by cell. `ids` gives those of a selection's rows by its place in the population; id 0 (nobody) is ignored. With
 * `cumulative`, each range also includes all earlier ones.
 */
export const countDistinct = (
  population: MeasuredRows,
  ids: Ids,
  size: number,
  grid: Grid,
  cumulative: boolean
): DistinctCounts => {
  const runs = runsOf(population, grid.ranges, grid.remap)
  if (grid.remap === null) return countPlain(runs, new OpenBlocks(runs, ids), size, cumulative)
  return grid.groups * size <= largestBitmap
    ? countGrouped(runs, new OpenBlocks(runs, ids), size, grid, cumulative)
    : countGathered(population, runs, ids, size, grid, cumulative)
}
