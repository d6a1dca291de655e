import { percentileAt } from "../../../../domain/analytics/insight/Percentile.ts"
import { exactSum } from "../../../../domain/analytics/insight/Sum.ts"
import { addExactParts } from "./ExactSums.ts"
import { OrderStatistic } from "./OrderStatistic.ts"
import { type GroupedRows, eachValue, type Grid, type MeasuredRows, openNumbers, type Run, runsWith } from "./Grid.ts"

/** An argument's values by cell of a grid. A span of ranges, from `from` up to, not including, `to`, may be asked about. */
export interface ValuesByCell {
  /** Percentile (0..100) of a group's values. */
  percentile(group: number, from: number, to: number, percentile: number): number | null
  sum(group: number, from: number, to: number): number
  count(group: number, from: number, to: number): number
  /** The smallest value, or with sign -1 the largest. */
  extreme(group: number, from: number, to: number, sign: 1 | -1): number | null
}

/**
 * An argument's values, those of one cell (group and range) next to each other, so that any span of ranges is one
 * slice.
 */
export class CellValues implements ValuesByCell {
  private readonly values: Float64Array
  private readonly starts: Uint32Array
  private readonly ranges: number
  private readonly orders = new Map<number, OrderStatistic>()
  private readonly parts: Array<ReadonlyArray<number> | undefined> = []

  constructor(population: MeasuredRows, grid: Grid, argument: string) {
    this.ranges = grid.ranges.length
    const gathered =
      grid.remap === null ? gatherPlain(population, grid, argument) : gatherGrouped(population, grid, argument)
    this.starts = gathered.starts
    this.values = gathered.values
  }

  percentile(group: number, from: number, to: number, percentile: number): number | null {
    const values = this.slice(group, from, to)
    const key = (group * this.ranges + from) * (this.ranges + 1) + to
    let order = this.orders.get(key)
    if (order === undefined) this.orders.set(key, (order = new OrderStatistic(values)))
    return percentileAt((k) => order.at(k), values.length, percentile)
  }

  sum(group: number, from: number, to: number): number {
    const parts: Array<number> = []
    for (let cell = group * this.ranges + from; cell < group * this.ranges + to; cell++)
      for (const part of this.partsOf(cell)) parts.push(part)
    return exactSum(parts)
  }

  count(group: number, from: number, to: number): number {
    return this.starts[group * this.ranges + to]! - this.starts[group * this.ranges + from]!
  }

  extreme(group: number, from: number, to: number, sign: 1 | -1): number | null {
    const values = this.slice(group, from, to)
    let best = Infinity
    for (let at = 0; at < values.length; at++) if (values[at]! * sign < best) best = values[at]! * sign
    return values.length === 0 ? null : best * sign
  }

  private slice(group: number, from: number, to: number): Float64Array {
    return this.values.subarray(this.starts[group * this.ranges + from]!, this.starts[group * this.ranges + to]!)
  }

  private partsOf(cell: number): ReadonlyArray<number> {
    const known = this.parts[cell]
    if (known !== undefined) return known
    const parts: Array<number> = []
    addExactParts(this.values, this.starts[cell]!, this.starts[cell + 1]!, parts)
    this.parts[cell] = parts
    return parts
  }
}

interface GatheredValues {
  readonly values: Float64Array
  /** Where the values of each cell start, then the end. */
  readonly starts: Uint32Array
}

const gatherPlain = (population: MeasuredRows, { ranges }: Grid, argument: string): GatheredValues => {
  const all = runsWith(population, { ranges, remap: null }, argument)
  const columns = openNumbers(population, all, argument)
  const rows = all.reduce((sum, runs) => runs.reduce((total, { from, to }) => total + to - from, sum), 0)
  population.memory.hold("values", rows * Float64Array.BYTES_PER_ELEMENT)
  const values = new Float64Array(rows)
  const starts = new Uint32Array(ranges.length + 1)
  let count = 0
  for (const [bucket, runs] of all.entries()) {
    for (const run of runs) count = copyNumbers(columns.of(run.at, bucket), run, values, count)
    starts[bucket + 1] = count
  }
  return { values: values.subarray(0, count), starts }
}

const copyNumbers = (numbers: Float64Array, { rows, from, to }: Run, values: Float64Array, start: number): number => {
  if (rows === null) values.set(numbers.subarray(from, to), start)
  else for (let place = from; place < to; place++) values[start + place - from] = numbers[rows[place]!]!
  const end = start + to - from
  let count = start
  while (count < end && !Number.isNaN(values[count]!)) count++
  for (let at = count; at < end; at++) if (!Number.isNaN(values[at]!)) values[count++] = values[at]!
  return count
}

/** For each cell, how many rows before it may have a value: all rows that it counts of blocks with the argument. */
const cellStarts = (population: GroupedRows, grid: Grid, argument: string): Uint32Array => {
  const { ranges, groups } = grid
  const starts = new Uint32Array(groups * ranges.length + 1)
  for (const [bucket, runs] of runsWith(population, grid, argument).entries())
    for (const { rows, from, to, groups: shown } of runs)
      for (let place = from; place < to; place++) {
        const group = shown === null ? 0 : shown.table[shown.values[rows === null ? place : rows[place]!]!]!
        if (group >= 0) starts[group * ranges.length + bucket + 1]!++
      }
  for (let cell = 1; cell < starts.length; cell++) starts[cell]! += starts[cell - 1]!
  return starts
}

/** Reads the argument once: each cell has room for all its rows, and cells are moved together when it is known how many have a value. */
const gatherGrouped = (population: MeasuredRows, grid: Grid, argument: string): GatheredValues => {
  const starts = cellStarts(population, grid, argument)
  const cells = starts.length - 1
  population.memory.hold("values", starts[cells]! * Float64Array.BYTES_PER_ELEMENT)
  const values = new Float64Array(starts[cells]!)
  const next = starts.slice()
  eachValue(population, grid, argument, (cell, value) => {
    values[next[cell]!++] = value
  })
  let end = 0
  for (let cell = 0; cell < cells; cell++) {
    const [from, to] = [starts[cell]!, next[cell]!]
    if (from !== end) values.copyWithin(end, from, to)
    starts[cell] = end
    end += to - from
  }
  starts[cells] = end
  return { values: end * 2 < values.length ? values.slice(0, end) : values.subarray(0, end), starts }
}

/** The mean of the units' means, for a group in the ranges from `from` up to, not including, `to`. */
export const averagesPerUser = (
  population: GroupedRows,
  grid: Grid,
  argument: string
): ((group: number, from: number, to: number) => number | null) => {
  const found = new Map<number, Array<readonly [unit: number, value: number]>>()
  const open = { at: -1, units: new Uint32Array(0) }
  eachValue(population, grid, argument, (cell, value, row, at) => {
    if (open.at !== at) Object.assign(open, { at, units: population.selections[at]!.block.units() })
    const unit = open.units[row]!
    if (unit === 0) return
    const own = found.get(cell)
    if (own === undefined) found.set(cell, [[unit, value]])
    else own.push([unit, value])
  })
  return (group, from, to) => {
    const byUnit = new Map<number, Array<number>>()
    for (let cell = group * grid.ranges.length + from; cell < group * grid.ranges.length + to; cell++)
      for (const [unit, value] of found.get(cell) ?? []) {
        const own = byUnit.get(unit)
        if (own === undefined) byUnit.set(unit, [value])
        else own.push(value)
      }
    const means = Array.from(byUnit.values(), (own) => exactSum(own) / own.length)
    return means.length === 0 ? null : exactSum(means) / means.length
  }
}
