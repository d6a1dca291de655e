import { percentileAt } from "../../../../domain/analytics/insight/Percentile.ts"
import { exactSum } from "../../../../domain/analytics/insight/Sum.ts"
import { numbersAt } from "../format/Column.ts"
import { columnName } from "../format/ColumnName.ts"
import type { RowBlock } from "../file/RowBlock.ts"
import { numbersColumn } from "../read/NumbersColumn.ts"
import { isWantedAgain } from "../read/SelectedNumbers.ts"
import { CellValues, type ValuesByCell } from "./CellValues.ts"
import { addExactParts } from "../read/ExactSums.ts"
import { type GroupedRows, type Grid, type MeasuredRows, type Run, runsOf } from "./Grid.ts"
import { sortedNumbers, valueInRuns } from "./SortedRuns.ts"

/** Shorter runs are not worth an entry each in the cache of their blocks. */
const leastRun = 128

const rowsOf = (all: ReadonlyArray<{ readonly from: number; readonly to: number }>): number =>
  all.reduce((sum, { from, to }) => sum + to - from, 0)

/** Part of an argument's values. */
interface ValueRun {
  /** The values in order; NaN is left out. */
  sorted(): Float64Array
  /** How many values there are, the least and the largest, then numbers whose exact sum is theirs. */
  readonly summary: Float64Array
}

const summaryOf = (numbers: Float64Array): Float64Array => {
  let [count, least, most] = [0, Infinity, -Infinity]
  for (let at = 0; at < numbers.length; at++) {
    const value = numbers[at]!
    if (Number.isNaN(value)) continue
    count++
    if (value < least) least = value
    if (value > most) most = value
  }
  const values = count === numbers.length ? numbers : numbers.filter((value) => !Number.isNaN(value))
  const parts: Array<number> = []
  addExactParts(values, 0, values.length, parts)
  return Float64Array.of(count, least, most, ...parts)
}

/** Sealed blocks keep what is made of a run that is a stretch of them: it is the same for every question. */
const valueRun = (block: RowBlock, { rows, from, to }: Run, argument: string): ValueRun => {
  const name = columnName.argument(argument)
  const numbers = () => numbersColumn(block.column(name), block.rows)
  if (rows !== null) {
    const values = numbersAt(numbers(), rows.subarray(from, to))
    return { sorted: () => sortedNumbers(values), summary: summaryOf(values) }
  }
  const own = () => numbers().subarray(from, to)
  return {
    sorted: () => block.derivedNumbers(`sorted ${from} ${to} ${name}`, () => sortedNumbers(own())),
    summary: block.derivedNumbers(`summary ${from} ${to} ${name}`, () => summaryOf(own()))
  }
}

/**
 * Whether most of the selected rows lie in blocks that an earlier question asked for percentiles of the argument. Sorting costs one
 * question more than it saves, and pays from the second question on.
 */
const isAskedAgain = ({ selections }: GroupedRows, argument: string): boolean => {
  const again = selections.filter(({ block }) => isWantedAgain(block, `order of ${columnName.argument(argument)}`))
  return rowsOf(again) * 2 >= rowsOf(selections)
}

/** An argument's values by block and range, where neither groups nor, in most blocks, filters pick rows. */
export class RunValues implements ValuesByCell {
  private readonly runs: ReadonlyArray<ReadonlyArray<ValueRun>>
  private readonly unsorted: () => ValuesByCell
  /** Finds percentiles; chosen when the first is asked for. */
  private ordered: Pick<ValuesByCell, "percentile"> | null = null
  private readonly isAskedAgain: () => boolean

  constructor(runs: ReadonlyArray<ReadonlyArray<ValueRun>>, isAskedAgain: () => boolean, unsorted: () => ValuesByCell) {
    this.runs = runs
    this.isAskedAgain = isAskedAgain
    this.unsorted = unsorted
  }

  /** Null where most rows are picked, or where ranges are so short that runs are many. */
  static of(population: MeasuredRows, grid: Grid, argument: string): RunValues | null {
    const { selections } = population
    const { ranges, remap } = grid
    if (remap !== null || rowsOf(selections.filter(({ rows }) => rows === null)) * 2 < rowsOf(selections)) return null
    const all = runsOf(population, ranges, null)
    const runs = all.flat()
    if (rowsOf(runs) < leastRun * runs.length) return null
    return new RunValues(
      all.map((own) => own.map((run) => valueRun(selections[run.at]!.block, run, argument))),
      () => isAskedAgain(population, argument),
      () => new CellValues(population, grid, argument)
    )
  }

  percentile(group: number, from: number, to: number, percentile: number): number | null {
    this.ordered ??= this.isAskedAgain() ? this.inOrder() : this.unsorted()
    return this.ordered.percentile(group, from, to, percentile)
  }

  sum(_group: number, from: number, to: number): number {
    return exactSum(this.within(from, to).flatMap(({ summary }) => [...summary.subarray(3)]))
  }

  count(_group: number, from: number, to: number): number {
    return this.within(from, to).reduce((sum, { summary }) => sum + summary[0]!, 0)
  }

  extreme(_group: number, from: number, to: number, sign: 1 | -1): number | null {
    const filled = this.within(from, to).filter(({ summary }) => summary[0]! > 0)
    const ends = filled.map(({ summary }) => summary[sign === 1 ? 1 : 2]! * sign)
    return ends.length === 0 ? null : ends.reduce((best, value) => (value < best ? value : best)) * sign
  }

  private inOrder(): Pick<ValuesByCell, "percentile"> {
    const sorted = this.runs.map((own) => own.map((run) => run.sorted()))
    return {
      percentile: (_group, from, to, percentile) => {
        const runs = sorted.slice(from, to).flat()
        return percentileAt((k) => valueInRuns(runs, k), this.count(0, from, to), percentile)
      }
    }
  }

  private within(from: number, to: number): ReadonlyArray<ValueRun> {
    return this.runs.slice(from, to).flat()
  }
}
