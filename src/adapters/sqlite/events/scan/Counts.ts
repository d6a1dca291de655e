import type { RowBlock } from "../file/RowBlock.ts"
import { type GroupedRows, type Grid, type Run, runsOf, type ShownGroups } from "./Grid.ts"
import { codeCounts, tally } from "./Tally.ts"

/** The number of rows in each cell. */
export const countRows = (population: GroupedRows, { ranges, groups, remap }: Grid): Float64Array => {
  const counts = new Float64Array(groups * ranges.length)
  for (const [bucket, runs] of runsOf(population, ranges, remap).entries())
    for (const run of runs)
      if (run.groups === null) counts[bucket]! += run.to - run.from
      else if (run.isWhole && run.groups.counts !== null)
        addCounts(run.groups.counts, run.groups.table, counts, ranges.length, bucket)
      else countRun(population.selections[run.at]!.block, run, run.groups, counts, ranges.length, bucket)
  return counts
}

const countRun = (
  block: RowBlock,
  { rows, from, to }: Run,
  { values, table, column }: ShownGroups,
  counts: Float64Array,
  width: number,
  bucket: number
): void => {
  if (table.length > to - from) {
    for (let place = from; place < to; place++) {
      const group = table[values[rows === null ? place : rows[place]!]!]!
      if (group >= 0) counts[group * width + bucket]!++
    }
    return
  }
  if (rows === null && column !== null) {
    const own = codeCounts({ block, name: column, codes: values, size: table.length }, from, to)
    return addCounts(own, table, counts, width, bucket)
  }
  const own = new Uint32Array(table.length)
  tally(values, rows, from, to, own)
  addCounts(own, table, counts, width, bucket)
}

const addCounts = (own: Uint32Array, table: Int32Array, counts: Float64Array, width: number, bucket: number): void => {
  for (let value = 0; value < own.length; value++)
    if (own[value]! > 0 && table[value]! >= 0) counts[table[value]! * width + bucket]! += own[value]!
}
