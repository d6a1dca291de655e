import { percentileAt } from "../../../domain/analytics/Percentile.ts"
import { exactSum } from "../../../domain/analytics/Sum.ts"
import { eachValue, type Grid, type Population } from "./Population.ts"

/** The k-th smallest of values[from..to), which are reordered (Hoare's selection, median of three). */
const nth = (values: Float64Array, from: number, to: number, k: number): number => {
  let low = from
  let high = to - 1
  const wanted = from + k
  while (low < high) {
    const pivot = middleOf(values[low]!, values[(low + high) >>> 1]!, values[high]!)
    let left = low
    let right = high
    while (left <= right) {
      while (values[left]! < pivot) left++
      while (values[right]! > pivot) right--
      if (left > right) break
      const swapped = values[left]!
      values[left++] = values[right]!
      values[right--] = swapped
    }
    if (wanted <= right) high = right
    else if (wanted >= left) low = left
    else break
  }
  return values[wanted]!
}

const middleOf = (a: number, b: number, c: number): number => Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))

/** The values of every cell, those of a group next to each other. */
export class CellValues {
  private readonly values: Float64Array
  private readonly units: Uint32Array
  private readonly starts: Uint32Array
  private readonly ranges: number

  constructor(population: Population, grid: Grid, argument: string) {
    const cells = grid.groups * grid.ranges.length
    this.ranges = grid.ranges.length
    this.starts = new Uint32Array(cells + 1)
    eachValue(population, grid, argument, (cell) => this.starts[cell + 1]!++)
    for (let cell = 0; cell < cells; cell++) this.starts[cell + 1]! += this.starts[cell]!
    this.values = new Float64Array(this.starts[cells]!)
    this.units = new Uint32Array(this.starts[cells]!)
    const next = this.starts.slice()
    const units = population.selections.map(({ slab }) => slab.units())
    eachValue(population, grid, argument, (cell, value, row, at) => {
      this.units[next[cell]!] = units[at]![row]!
      this.values[next[cell]!++] = value
    })
  }

  /** Of the values of one group in the ranges from..to, `to` not included. */
  percentile(group: number, from: number, to: number, percentile: number): number | null {
    const [start, end] = this.bounds(group, from, to)
    const values = this.values.slice(start, end)
    return percentileAt((k) => nth(values, 0, values.length, k), values.length, percentile)
  }

  /** The mean over units of the mean of each. */
  averagePerUser(group: number, from: number, to: number): number | null {
    const [start, end] = this.bounds(group, from, to)
    const byUnit = new Map<number, Array<number>>()
    for (let at = start; at < end; at++) {
      const unit = this.units[at]!
      if (unit === 0) continue
      const own = byUnit.get(unit)
      if (own === undefined) byUnit.set(unit, [this.values[at]!])
      else own.push(this.values[at]!)
    }
    const means = Array.from(byUnit.values(), (own) => exactSum(own) / own.length)
    return means.length === 0 ? null : exactSum(means) / means.length
  }

  private bounds(group: number, from: number, to: number): readonly [start: number, end: number] {
    return [this.starts[group * this.ranges + from]!, this.starts[group * this.ranges + to]!]
  }
}
