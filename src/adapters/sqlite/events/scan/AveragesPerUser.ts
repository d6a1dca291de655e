import { exactSum } from "../../../../domain/analytics/insight/Sum.ts"
import { columnName } from "../format/ColumnName.ts"
import { numbersIn } from "../read/NumbersColumn.ts"
import { type GatheredValues, moveTogether } from "./CellValues.ts"
import { exactSumOf } from "../read/ExactSums.ts"
import { eachValue, type Grid, type MeasuredRows, openNumbers, type Run, runsWith, startsOfCells } from "./Grid.ts"
import { stepFor, UnitSums } from "./UnitSums.ts"

interface UnitValues extends GatheredValues {
  /** The unit of each value. */
  readonly units: Uint32Array
}

/** The values of rows that have a unit, by cell of the grid. */
const gatherByUnit = (population: MeasuredRows, grid: Grid, argument: string): UnitValues => {
  const room = startsOfCells(runsWith(population, grid, argument), grid)
  const length = room[room.length - 1]!
  population.memory.hold("values", length * (2 * Float64Array.BYTES_PER_ELEMENT + Uint32Array.BYTES_PER_ELEMENT))
  const [values, units] = [new Float64Array(length), new Uint32Array(length)]
  const next = room.slice()
  let open: { readonly at: number; readonly units: Uint32Array } = { at: -1, units: new Uint32Array(0) }
  eachValue(population, grid, argument, (cell, value, row, at) => {
    if (open.at !== at) open = { at, units: population.selections[at]!.block.units() }
    const unit = open.units[row]!
    if (unit === 0) return
    const place = next[cell]!++
    values[place] = value
    units[place] = unit
  })
  return { values, units, starts: moveTogether([values, units], room, next) }
}

const meanOf = (values: Float64Array, from: number, end: number): number =>
  end - from === 1 ? values[from]! : exactSum(values.subarray(from, end)) / (end - from)

/** Averages of units, whatever their values are: those of each unit are put beside each other. */
class GatheredMeans {
  /** By unit number: how many values it has, and the place after the last of them among all values by unit. */
  private readonly lengths: Uint32Array
  private readonly ends: Uint32Array
  private readonly found: Uint32Array
  private readonly means: Float64Array
  private readonly byUnit: Float64Array

  constructor(units: number, values: number) {
    this.lengths = new Uint32Array(units)
    this.ends = new Uint32Array(units)
    this.found = new Uint32Array(units)
    this.means = new Float64Array(units)
    this.byUnit = new Float64Array(values)
  }

  /** The mean of each unit of the values in `from..end`. */
  of({ values, units }: UnitValues, from: number, end: number): Float64Array {
    const { lengths, ends, found, means, byUnit } = this
    let count = 0
    for (let at = from; at < end; at++) if (lengths[units[at]!]!++ === 0) found[count++] = units[at]!
    for (let at = 0, place = 0; at < count; at++) {
      const unit = found[at]!
      ends[unit] = place
      place += lengths[unit]!
      lengths[unit] = 0
    }
    for (let at = from; at < end; at++) byUnit[ends[units[at]!]!++] = values[at]!
    for (let at = 0, place = 0; at < count; at++) {
      means[at] = meanOf(byUnit, place, ends[found[at]!]!)
      place = ends[found[at]!]!
    }
    return means.subarray(0, count)
  }
}

/** The largest size of a value of the argument in the blocks of the rows. */
const largestSize = ({ selections }: MeasuredRows, argument: string): number => {
  let largest = 0
  for (const { block } of selections) {
    const values = numbersIn(block.column(columnName.argument(argument)))
    for (let at = 0; at < values.length; at++) {
      const size = Math.abs(values[at]!)
      if (size > largest) largest = size
    }
  }
  return largest
}

const addRun = (sums: UnitSums, { rows, from, to, groups }: Run, values: Float64Array, units: Uint32Array): void => {
  for (let place = from; place < to; place++) {
    const row = rows === null ? place : rows[place]!
    const value = values[row]!
    const unit = units[row]!
    const group = groups === null ? 0 : groups.table[groups.values[row]!]!
    if (unit !== 0 && group >= 0 && !Number.isNaN(value)) sums.add(unit, group, value)
  }
}

/** The mean of the units' means, for a group in the ranges from `from` up to, not including, `to`. */
type Averages = (group: number, from: number, to: number) => number | null

/** The averages of each range, and of all ranges together, by running sums; null where these are not exact. */
const summedAverages = (population: MeasuredRows, grid: Grid, argument: string, unitCount: number): Averages | null => {
  const step = stepFor(largestSize(population, argument))
  if (step === null) return null
  const [own, total] = [new UnitSums(unitCount, step), new UnitSums(unitCount, step)]
  const all = runsWith(population, grid, argument)
  const numbers = openNumbers(population, all, argument)
  const cells: Array<Float64Array> = []
  for (const [range, runs] of all.entries()) {
    for (const run of runs) addRun(own, run, numbers.of(run.at, range), population.selections[run.at]!.block.units())
    cells.push(own.averages(grid.groups))
    total.addAll(own)
    population.memory.hold("values", own.bytes + total.bytes)
    if (!own.isExact || !total.isExact) return null
    own.clear()
  }
  const aggregates = total.averages(grid.groups)
  return (group, from, to) => (to - from === 1 ? cells[from] : aggregates)?.[group] ?? null
}

const gatheredAverages = (population: MeasuredRows, grid: Grid, argument: string, unitCount: number): Averages => {
  const gathered = gatherByUnit(population, grid, argument)
  const { values, starts } = gathered
  const byUnit = new GatheredMeans(unitCount, values.length)
  return (group, from, to) => {
    const first = starts[group * grid.ranges.length + from]!
    const end = starts[group * grid.ranges.length + to]!
    const means = byUnit.of(gathered, first, end)
    return means.length === 0 ? null : exactSumOf(means) / means.length
  }
}

/**
 * Averages per user of an argument. Those of the first ranges together, as a cumulative answer shows them, are of values that are kept.
 */
export const averagesPerUser = (
  population: MeasuredRows,
  grid: Grid,
  argument: string,
  unitCount: number,
  cumulative: boolean
): Averages =>
  (cumulative ? null : summedAverages(population, grid, argument, unitCount)) ??
  gatheredAverages(population, grid, argument, unitCount)
