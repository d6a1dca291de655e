import { type Grid, type Population, runsOf } from "./Population.ts"

/** Number of rows in each cell. */
export const countRows = (population: Population, { ranges, groups, remap }: Grid): Float64Array => {
  const counts = new Float64Array(groups * ranges.length)
  for (const [bucket, runs] of runsOf(population, ranges).entries())
    for (const { rows, from, to, codes } of runs) {
      if (remap === null || codes === null) {
        counts[bucket]! += to - from
        continue
      }
      for (let place = from; place < to; place++) {
        const group = remap[codes[rows === null ? place : rows[place]!]!]!
        if (group >= 0) counts[group * ranges.length + bucket]!++
      }
    }
  return counts
}
