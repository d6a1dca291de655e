import { type Box, boxOf, heightTest, slot } from "../../../../../domain/analytics/heatmap/Heatmap.ts"
import type { HeatmapAnswer, HeatmapPlan, GridResolution } from "../../../../../domain/analytics/heatmap/HeatmapPlan.ts"
import type { Snapshot } from "../../read/Snapshot.ts"
import { type Points, pointsOf, pointsWithin } from "../../read/Points.ts"

/** The cell and unit of each marker inside the bounds, and totals over all markers with a position. */
class Tally {
  totalEvents = 0
  uniqueUsers = 0
  count = 0
  cells = new Uint32Array(65_536)
  units = new Uint32Array(65_536)

  /** Makes room for `more` entries, and for one that is written beyond them. */
  reserve(more: number): void {
    if (this.count + more < this.cells.length) return
    const length = Math.max(this.count + more + 1, 2 * this.cells.length)
    const [cells, units] = [new Uint32Array(length), new Uint32Array(length)]
    cells.set(this.cells)
    units.set(this.units)
    this.cells = cells
    this.units = units
  }
}

/** Adds the points inside the box. It has no branch on where a point lies: a CPU could not predict that. */
const add = (
  tally: Tally,
  points: Points,
  { resolution }: HeatmapPlan,
  { least, most }: Box,
  seen: Uint8Array
): void => {
  const { x, y, z, units: ids } = points
  tally.reserve(x.length)
  const { cells, units, count: first } = tally
  let { count, uniqueUsers } = tally
  for (let at = 0; at < x.length; at++) {
    const unit = ids[at]!
    uniqueUsers += 1 - seen[unit]!
    seen[unit] = 1
    // Holds the point's place until the loop below puts the point's cell there.
    cells[count] = at
    units[count] = unit
    count +=
      Number(x[at]! >= least.x) &
      Number(x[at]! <= most.x) &
      Number(y[at]! >= least.y) &
      Number(y[at]! <= most.y) &
      Number(z[at]! >= least.z) &
      Number(z[at]! <= most.z)
  }
  for (let place = first; place < count; place++) {
    const at = cells[place]!
    const row = slot(z[at]!, least.z, most.z, resolution.y)
    cells[place] = row * resolution.x + slot(x[at]!, least.x, most.x, resolution.x)
  }
  tally.count = count
  tally.totalEvents += x.length
  tally.uniqueUsers = uniqueUsers
}

/** The markers' indices ordered by cell (a counting sort). */
const byCell = (cells: Uint32Array, size: number): Uint32Array => {
  const ends = new Uint32Array(size + 1)
  for (let at = 0; at < cells.length; at++) ends[cells[at]! + 1]!++
  for (let cell = 0; cell < size; cell++) ends[cell + 1]! += ends[cell]!
  const order = new Uint32Array(cells.length)
  for (let at = 0; at < cells.length; at++) order[ends[cells[at]!]!++] = at
  return order
}

const countCells = (tally: Tally, size: number, { x: width, y: height }: GridResolution): HeatmapAnswer["cells"] => {
  const cells = tally.cells.subarray(0, tally.count)
  const { units } = tally
  const stamps = new Uint32Array(size)
  const found: Array<{ column: number; row: number; count: number; units: number }> = []
  let last = -1
  const order = byCell(cells, width * height)
  for (let place = 0; place < order.length; place++) {
    const at = order[place]!
    const cell = cells[at]!
    if (cell !== last) found.push({ column: cell % width, row: Math.floor(cell / width), count: 0, units: 0 })
    last = cell
    const counted = found[found.length - 1]!
    counted.count++
    const unit = units[at]!
    if (unit === 0 || stamps[unit] === found.length) continue
    stamps[unit] = found.length
    counted.units++
  }
  return found
}

/** Answers a heatmap by scanning columns. Equals the domain's pure function over the same markers. */
export const scanHeatmap = (plan: HeatmapPlan, snapshot: Snapshot): HeatmapAnswer => {
  const { units } = snapshot.environment
  const box = boxOf(plan.bounds)
  const seen = new Uint8Array(units)
  // Unit 0 stands for markers without a unit, which are not counted.
  seen[0] = 1
  const isCounted = plan.heights === undefined ? null : heightTest(plan.heights)
  const tally = new Tally()
  for (const selector of plan.selectors)
    for (const selection of snapshot.selectPlaced(selector, plan.filter, plan.range))
      add(tally, pointsWithin(pointsOf(selection), isCounted), plan, box, seen)
  const { totalEvents, uniqueUsers, count } = tally
  return {
    cells: countCells(tally, units, plan.resolution),
    totalEvents,
    uniqueUsers,
    insideBounds: count
  }
}
