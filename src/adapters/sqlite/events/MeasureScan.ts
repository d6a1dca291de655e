import type { Range } from "../../../domain/analytics/Buckets.ts"
import type { Measure, Points } from "../../../domain/analytics/InsightPlan.ts"
import { CellValues } from "./CellValues.ts"
import { countRows } from "./Counts.ts"
import { countDistinct } from "./Distinct.ts"
import { ExactSums } from "./ExactSums.ts"
import { eachValue, type Grid, type Population } from "./Population.ts"
import type { Environment } from "./Snapshot.ts"

/** A measure of each cell of a grid; the aggregate of a group is over all its ranges. */
interface Measured {
  cell(group: number, bucket: number): number | null
  aggregate(group: number): number | null
}

const ratio = (numerator: number, denominator: number): number | null =>
  denominator === 0 ? null : numerator / denominator

interface Scan {
  readonly population: Population
  readonly grid: Grid
  readonly environment: Environment
  readonly cumulative: boolean
}

const counts = ({
  population,
  grid,
  cumulative
}: Scan): { cell: Measured["cell"]; aggregate(group: number): number } => {
  const cells = countRows(population, grid)
  const width = grid.ranges.length
  const totals = new Float64Array(grid.groups)
  for (let cell = 0; cell < cells.length; cell++) {
    totals[Math.floor(cell / width)]! += cells[cell]!
    if (cumulative) cells[cell] = totals[Math.floor(cell / width)]!
  }
  return { cell: (group, bucket) => cells[group * width + bucket]!, aggregate: (group) => totals[group]! }
}

const distinct = ({ population, grid, environment, cumulative }: Scan, of: "units" | "sessions") => {
  const ids = population.selections.map(({ slab }) => (of === "units" ? slab.units() : slab.sessions()))
  const found = countDistinct(population, ids, environment[of], grid, cumulative)
  const width = grid.ranges.length
  return {
    cell: (group: number, bucket: number) => found.cells[group * width + bucket]!,
    aggregate: (group: number) => found.groups[group]!
  }
}

const cellsOf = ({ grid, cumulative }: Scan, group: number, bucket: number): ReadonlyArray<number> => {
  const from = cumulative ? 0 : bucket
  return Array.from({ length: bucket + 1 - from }, (_, index) => group * grid.ranges.length + from + index)
}

const combine = (scan: Scan, of: (group: number, cells: ReadonlyArray<number>) => number | null): Measured => ({
  cell: (group, bucket) => of(group, cellsOf(scan, group, bucket)),
  aggregate: (group) => of(group, cellsOf({ ...scan, cumulative: true }, group, scan.grid.ranges.length - 1))
})

const sums = (scan: Scan, argument: string): ExactSums => {
  const found = new ExactSums(scan.grid.groups * scan.grid.ranges.length)
  eachValue(scan.population, scan.grid, argument, (cell, value) => found.add(cell, value))
  return found
}

const summed = (scan: Scan, type: "sum" | "average", argument: string): Measured => {
  const found = sums(scan, argument)
  return combine(scan, (_, cells) => {
    if (type === "sum") return found.total(cells)
    return ratio(
      found.total(cells),
      cells.reduce((count, cell) => count + found.counts[cell]!, 0)
    )
  })
}

const extremes = (scan: Scan, type: "min" | "max", argument: string): Measured => {
  const sign = type === "min" ? 1 : -1
  const found = new Float64Array(scan.grid.groups * scan.grid.ranges.length).fill(Infinity)
  eachValue(scan.population, scan.grid, argument, (cell, value) => {
    if (value * sign < found[cell]!) found[cell] = value * sign
  })
  return combine(scan, (_, cells) => {
    const best = cells.reduce((least, cell) => Math.min(least, found[cell]!), Infinity)
    return best === Infinity ? null : best * sign
  })
}

const valued = (
  scan: Scan,
  argument: string,
  of: (values: CellValues, group: number, from: number, to: number) => number | null
): Measured => {
  const values = new CellValues(scan.population, scan.grid, argument)
  return {
    cell: (group, bucket) => of(values, group, scan.cumulative ? 0 : bucket, bucket + 1),
    aggregate: (group) => of(values, group, 0, scan.grid.ranges.length)
  }
}

const quotient = (
  numerator: Measured,
  denominator: { cell(group: number, bucket: number): number; aggregate(group: number): number }
): Measured => ({
  cell: (group, bucket) => ratio(numerator.cell(group, bucket) ?? 0, denominator.cell(group, bucket)),
  aggregate: (group) => ratio(numerator.aggregate(group) ?? 0, denominator.aggregate(group))
})

const measured = (scan: Scan, measure: Measure): Measured => {
  switch (measure.type) {
    case "totalEvents":
      return counts(scan)
    case "uniqueUsers":
    case "firstTimeUsers":
    case "activeUsers":
      return distinct(scan, "units")
    case "totalSessions":
      return distinct(scan, "sessions")
    case "frequencyPerUser":
      return quotient(counts(scan), distinct(scan, "units"))
    case "frequencyPerSession":
      return quotient(counts(scan), distinct(scan, "sessions"))
    case "sum":
    case "average":
      return summed(scan, measure.type, measure.argument)
    case "min":
    case "max":
      return extremes(scan, measure.type, measure.argument)
    case "sumPerUser":
      return quotient(summed(scan, "sum", measure.argument), distinct(scan, "units"))
    case "averagePerUser":
      return valued(scan, measure.argument, (values, group, from, to) => values.averagePerUser(group, from, to))
    case "percentile": {
      const { argument, percentile } = measure
      return valued(scan, argument, (values, group, from, to) => values.percentile(group, from, to, percentile))
    }
  }
}

const finite = (value: number | null): number | null => (value !== null && Number.isFinite(value) ? value : null)

const everything: ReadonlyArray<Range> = [{ from: -Infinity, to: Infinity }]

/** The aggregate of every group, without buckets; of activeUsers that of its last span. */
export const scanAggregates = (
  population: Population,
  measure: Measure,
  environment: Environment,
  groups: number
): ReadonlyArray<number | null> => {
  const ranges = measure.type === "activeUsers" ? measure.spans.slice(-1) : everything
  const remap = Int32Array.from({ length: groups }, (_, group) => group)
  const scan = { population, grid: { ranges, groups, remap }, environment, cumulative: false }
  const found = measured(scan, measure)
  return Array.from({ length: groups }, (_, group) => finite(found.aggregate(group)))
}

/** The points of every group. activeUsers takes its spans in place of the grid's ranges. */
export const scanPoints = (
  population: Population,
  measure: Measure,
  environment: Environment,
  grid: Grid,
  cumulative: boolean
): ReadonlyArray<Points> => {
  const isActive = measure.type === "activeUsers"
  const scan = {
    population,
    grid: isActive ? { ...grid, ranges: measure.spans } : grid,
    environment,
    cumulative: cumulative && !isActive
  }
  const found = measured(scan, measure)
  return Array.from({ length: grid.groups }, (_, group) => {
    const values = scan.grid.ranges.map((_range, bucket) => finite(found.cell(group, bucket)))
    return isActive
      ? { values: values.slice(0, -1), aggregate: values.at(-1) ?? null }
      : { values, aggregate: finite(found.aggregate(group)) }
  })
}
