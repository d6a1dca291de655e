import type { Range } from "../../../domain/analytics/Buckets.ts"
import { numberOf } from "../../../domain/analytics/Value.ts"
import type { CellValues } from "./CellValues.ts"
import type { Column } from "./Column.ts"
import { columnName } from "./Draft.ts"
import { placeAt, type Selection } from "./Selection.ts"

/** The rows that a metric counts, and the group of each of them. */
export interface Population {
  readonly selections: ReadonlyArray<Selection>
  /** Beside each selection the group of each row, by row; null when there is one group only. */
  readonly codes: ReadonlyArray<Uint32Array | null>
  /** Values already gathered, by argument. */
  readonly values: Map<string, { readonly grid: Grid; readonly values: CellValues }>
}

/** What is counted by cell: one cell for each group and range. */
export interface Grid {
  readonly ranges: ReadonlyArray<Range>
  readonly groups: number
  /** The group a code counts for, -1 for none. Null when there is one group only. */
  readonly remap: Int32Array | null
}

/** Part of a selection that falls into one range of a grid. */
export interface Run {
  readonly rows: Uint32Array | null
  readonly from: number
  readonly to: number
  readonly codes: Uint32Array | null
  /** Place of the selection in the population. */
  readonly at: number
}

/** For each range the runs of the population in it, in order of the selections. */
export const runsOf = (
  { selections, codes }: Pick<Population, "selections" | "codes">,
  ranges: ReadonlyArray<Range>
): ReadonlyArray<Array<Run>> => {
  const runs = ranges.map((): Array<Run> => [])
  for (const [at, selection] of selections.entries()) {
    const { slab, rows } = selection
    for (const [index, range] of ranges.entries()) {
      if (range.to <= slab.firstTimestamp || range.from > slab.lastTimestamp) continue
      const from = placeAt(selection, range.from)
      const to = placeAt(selection, range.to)
      if (from < to) runs[index]!.push({ rows, from, to, codes: codes[at] ?? null, at })
    }
  }
  return runs
}

/** The number each row stands for; NaN where there is none. */
export const numbersColumn = (column: Column | undefined, rows: number): Float64Array => {
  if (column === undefined) return new Float64Array(rows).fill(NaN)
  if (column.type === "numbers") return column.values
  const { codes, lexicon } = column
  const numbers = Float64Array.from({ length: lexicon.count + 1 }, (_, code) =>
    code === 0 ? NaN : (numberOf(lexicon.value(code - 1)) ?? NaN)
  )
  const values = new Float64Array(codes.length)
  for (let row = 0; row < codes.length; row++) values[row] = numbers[codes[row]!]!
  return values
}

/** Calls `take` with cell and value of every row that has a number for the argument. */
export const eachValue = (
  population: Population,
  grid: Grid,
  argument: string,
  take: (cell: number, value: number, row: number, at: number) => void
): void => {
  const { ranges, remap } = grid
  const numbers = population.selections.map(({ slab }) =>
    numbersColumn(slab.column(columnName.argument(argument)), slab.rows)
  )
  for (const [bucket, runs] of runsOf(population, ranges).entries())
    for (const { rows, from, to, codes, at } of runs) {
      const values = numbers[at]!
      for (let place = from; place < to; place++) {
        const row = rows === null ? place : rows[place]!
        const value = values[row]!
        const group = remap === null || codes === null ? 0 : remap[codes[row]!]!
        if (group >= 0 && !Number.isNaN(value)) take(group * ranges.length + bucket, value, row, at)
      }
    }
}
