import { percentileAt } from "../../../../domain/analytics/insight/Percentile.ts"
import { exactSum } from "../../../../domain/analytics/insight/Sum.ts"
import { columnName } from "../format/ColumnName.ts"
import type { RowBlock } from "../file/RowBlock.ts"
import { numbersColumn } from "../read/NumbersColumn.ts"
import type { Values } from "./CellValues.ts"
import { addExactParts } from "./ExactSums.ts"
import { type GroupedRows, type Grid, type Run, runsOf } from "./Grid.ts"
import { sortedNumbers, valueInRuns } from "./SortedRuns.ts"

/** Shorter runs are not worth an entry each in the cache of their blocks. */
const leastRun = 128

/** Part of an argument's values, sorted. */
interface SortedRun {
  readonly values: Float64Array
  /** Numbers whose exact sum is that of the values. */
  readonly parts: Float64Array
}

const partsOf = (values: Float64Array): Float64Array => {
  const found: Array<number> = []
  addExactParts(values, 0, values.length, found)
  return Float64Array.from(found)
}

/** Sealed blocks keep a run that is a stretch of them: it is the same for every question. */
const sortedRun = (block: RowBlock, { rows, from, to }: Run, argument: string): SortedRun => {
  const name = columnName.argument(argument)
  const numbers = () => numbersColumn(block.column(name), block.rows)
  if (rows !== null) {
    const all = numbers()
    const values = sortedNumbers(Float64Array.from(rows.subarray(from, to), (row) => all[row]!))
    return { values, parts: partsOf(values) }
  }
  const values = block.derivedNumbers(`sorted ${from} ${to} ${name}`, () => sortedNumbers(numbers().subarray(from, to)))
  return { values, parts: block.derivedNumbers(`parts ${from} ${to} ${name}`, () => partsOf(values)) }
}

const rowsOf = (all: ReadonlyArray<{ readonly from: number; readonly to: number }>): number =>
  all.reduce((sum, { from, to }) => sum + to - from, 0)

/** An argument's values, sorted by block and range, where neither groups nor, in most blocks, filters pick rows. */
export class RunValues implements Values {
  private readonly runs: ReadonlyArray<ReadonlyArray<SortedRun>>

  constructor(runs: ReadonlyArray<ReadonlyArray<SortedRun>>) {
    this.runs = runs
  }

  /** Null where most rows are picked, or where ranges are so short that runs are many. */
  static of(population: GroupedRows, { ranges, remap }: Grid, argument: string): RunValues | null {
    const { selections } = population
    if (remap !== null || rowsOf(selections.filter(({ rows }) => rows === null)) * 2 < rowsOf(selections)) return null
    const all = runsOf(population, ranges, null)
    const runs = all.flat()
    if (rowsOf(runs) < leastRun * runs.length) return null
    return new RunValues(all.map((own) => own.map((run) => sortedRun(selections[run.at]!.block, run, argument))))
  }

  percentile(_group: number, from: number, to: number, percentile: number): number | null {
    const runs = this.within(from, to).map(({ values }) => values)
    return percentileAt((k) => valueInRuns(runs, k), this.count(0, from, to), percentile)
  }

  sum(_group: number, from: number, to: number): number {
    return exactSum(this.within(from, to).flatMap(({ parts }) => [...parts]))
  }

  count(_group: number, from: number, to: number): number {
    return this.within(from, to).reduce((sum, { values }) => sum + values.length, 0)
  }

  extreme(_group: number, from: number, to: number, sign: 1 | -1): number | null {
    const ends = this.within(from, to).flatMap(({ values }) =>
      values.length === 0 ? [] : [values[sign === 1 ? 0 : values.length - 1]! * sign]
    )
    return ends.length === 0 ? null : ends.reduce((best, value) => (value < best ? value : best)) * sign
  }

  private within(from: number, to: number): ReadonlyArray<SortedRun> {
    return this.runs.slice(from, to).flat()
  }
}
