import type { TimeSpan } from "../../../../domain/analytics/time/Buckets.ts"
import type { Measure, Points } from "../../../../domain/analytics/insight/InsightPlan.ts"
import { averagesPerUser } from "./AveragesPerUser.ts"
import { CellValues, type Population, type ValuesByCell } from "./CellValues.ts"
import { countRows } from "./Counts.ts"
import { countDistinct, countDistinctUnits } from "./Distinct.ts"
import { type Grid } from "./Grid.ts"
import { RunValues } from "./RunValues.ts"
import type { Environment } from "../read/Snapshot.ts"

/** A measure by cell of a grid. A group's aggregate covers all ranges together, which is not the sum of its cells. */
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
  const found =
    of === "units"
      ? countDistinctUnits(population, environment.units, grid, cumulative)
      : countDistinct(
          population,
          (at) => population.selections[at]!.block.sessions(),
          environment.sessions,
          grid,
          cumulative
        )
  const width = grid.ranges.length
  return {
    cell: (group: number, bucket: number) => found.cells[group * width + bucket]!,
    aggregate: (group: number) => found.groups[group]!
  }
}

const valued = (
  { grid, cumulative }: Scan,
  of: (group: number, from: number, to: number) => number | null
): Measured => ({
  cell: (group, bucket) => of(group, cumulative ? 0 : bucket, bucket + 1),
  aggregate: (group) => of(group, 0, grid.ranges.length)
})

/** The values of an argument, gathered once for measures of the same population and grid that follow each other. */
const valuesOf = ({ population, grid }: Scan, argument: string): ValuesByCell => {
  const known = population.values.get(argument)
  if (known !== undefined && known.grid === grid) return known.values
  population.values.clear()
  const values = RunValues.of(population, grid, argument) ?? new CellValues(population, grid, argument)
  population.values.set(argument, { grid, values })
  return values
}

const argumentMeasure = (scan: Scan, measure: Extract<Measure, { readonly argument: string }>): Measured => {
  if (measure.type === "averagePerUser")
    return valued(
      scan,
      averagesPerUser(scan.population, scan.grid, measure.argument, scan.environment.units, scan.cumulative)
    )
  const values = valuesOf(scan, measure.argument)
  switch (measure.type) {
    case "average":
      return valued(scan, (group, from, to) => ratio(values.sum(group, from, to), values.count(group, from, to)))
    case "min":
      return valued(scan, (group, from, to) => values.extreme(group, from, to, 1))
    case "max":
      return valued(scan, (group, from, to) => values.extreme(group, from, to, -1))
    case "percentile":
      return valued(scan, (group, from, to) => values.percentile(group, from, to, measure.percentile))
    case "sum":
      return valued(scan, (group, from, to) => values.sum(group, from, to))
    case "sumPerUser":
      return quotient(
        valued(scan, (group, from, to) => values.sum(group, from, to)),
        distinct(scan, "units")
      )
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
    default:
      return argumentMeasure(scan, measure)
  }
}

const finite = (value: number | null): number | null => (value !== null && Number.isFinite(value) ? value : null)

const everything: ReadonlyArray<TimeSpan> = [{ from: -Infinity, to: Infinity }]

/** The aggregate of each group over all time; for activeUsers over its last span. */
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

/** The points of each group. activeUsers is measured over its own spans instead of the grid's ranges. */
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
