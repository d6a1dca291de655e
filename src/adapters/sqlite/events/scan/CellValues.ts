import { percentileAt } from "../../../../domain/analytics/insight/Percentile.ts"
import { exactSum } from "../../../../domain/analytics/insight/Sum.ts"
import { addExactParts } from "../read/ExactSums.ts"
import { OrderStatistic } from "./OrderStatistic.ts"
import { eachValue, type Grid, type MeasuredRows, openNumbers, type Run, runsWith, startsOfCells } from "./Grid.ts"

/** An argument's values by cell of a grid. A span of ranges, from `from` up to, not including, `to`, may be asked about. */
export interface ValuesByCell {
  /** Percentile (0..100) of a group's values. */
  percentile(group: number, from: number, to: number, percentile: number): number | null
  sum(group: number, from: number, to: number): number
  count(group: number, from: number, to: number): number
  /** The smallest value, or with sign -1 the largest. */
  extreme(group: number, from: number, to: number, sign: 1 | -1): number | null
}

/** The rows that a metric counts, with the argument values that measures have gathered from them so far. */
export interface Population extends MeasuredRows {
  /** By argument: the gathered values, and the grid for which they were gathered. */
  readonly values: Map<string, { readonly grid: Grid; readonly values: ValuesByCell }>
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

export interface GatheredValues {
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

/** Moves cells together, once it is known where the numbers of each end; answers where each starts then. */
export const moveTogether = (
  numbers: ReadonlyArray<Float64Array | Uint32Array>,
  starts: Uint32Array,
  ends: Uint32Array
): Uint32Array => {
  const moved = new Uint32Array(starts.length)
  const cells = starts.length - 1
  for (let cell = 0; cell < cells; cell++) {
    const [from, to, end] = [starts[cell]!, ends[cell]!, moved[cell]!]
    if (from !== end) for (const each of numbers) each.copyWithin(end, from, to)
    moved[cell + 1] = end + to - from
  }
  return moved
}

/** Reads the argument once: each cell has room for all its rows, and cells are moved together when it is known how many have a value. */
const gatherGrouped = (population: MeasuredRows, grid: Grid, argument: string): GatheredValues => {
  const room = startsOfCells(runsWith(population, grid, argument), grid)
  const length = room[room.length - 1]!
  population.memory.hold("values", length * Float64Array.BYTES_PER_ELEMENT)
  const values = new Float64Array(length)
  const next = room.slice()
  eachValue(population, grid, argument, (cell, value) => {
    values[next[cell]!++] = value
  })
  const starts = moveTogether([values], room, next)
  const end = starts[starts.length - 1]!
  return { values: end * 2 < values.length ? values.slice(0, end) : values.subarray(0, end), starts }
}
