import { type GroupedRows, type Grid, OpenBlocks, type Run, runsOf } from "./Grid.ts"
import { addRun, countUnits, noUnits, unite } from "./UnitBits.ts"

/** The number of distinct ids in each cell, and in each group over all ranges. */
export interface DistinctCounts {
  readonly cells: Float64Array
  readonly groups: Float64Array
}

/** Bits in one bitmap of groups × ids; 64 MB. Above it, a map takes over. */
const largestBitmap = 2 ** 29

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

/** Counts for more groups and ids than a bitmap holds: a map from group and id to the last range seen. */
const countSparse = (
  runs: ReadonlyArray<ReadonlyArray<Run>>,
  ids: Open,
  size: number,
  { groups, ranges }: Grid,
  cumulative: boolean
): DistinctCounts => {
  const cells = new Float64Array(groups * ranges.length)
  const totals = new Float64Array(groups)
  const all = new Map<number, number>()
  for (const [bucket, own] of runs.entries()) {
    for (const { rows, from, to, groups: shown, at } of own) {
      const values = ids.of(at, bucket)
      for (let place = from; place < to; place++) {
        const row = rows === null ? place : rows[place]!
        const group = shown === null ? 0 : shown.table[shown.values[row]!]!
        const id = values[row]!
        if (group < 0 || id === 0) continue
        const key = group * size + id
        const last = all.get(key)
        if (last === bucket) continue
        all.set(key, bucket)
        cells[group * ranges.length + bucket]!++
        if (last === undefined) totals[group]!++
      }
    }
    if (cumulative) for (let group = 0; group < groups; group++) cells[group * ranges.length + bucket] = totals[group]!
  }
  return { cells, groups: totals }
}

/** Counts distinct units by cell. Unit 0 (nobody) is ignored. */
export const countDistinctUnits = (
  population: GroupedRows,
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
  population: GroupedRows,
  ids: Ids,
  size: number,
  grid: Grid,
  cumulative: boolean
): DistinctCounts => {
  const runs = runsOf(population, grid.ranges, grid.remap)
  const open = new OpenBlocks(runs, ids)
  if (grid.remap === null) return countPlain(runs, open, size, cumulative)
  return grid.groups * size <= largestBitmap
    ? countGrouped(runs, open, size, grid, cumulative)
    : countSparse(runs, open, size, grid, cumulative)
}
