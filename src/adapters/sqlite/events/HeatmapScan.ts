import { type Box, boxOf, cellOf } from "../../../domain/analytics/Heatmap.ts"
import type { HeatmapAnswer, HeatmapPlan } from "../../../domain/analytics/HeatmapPlan.ts"
import { columnName } from "./Draft.ts"
import { numbersOf } from "./Population.ts"
import type { Selection } from "./Selection.ts"
import type { Snapshot } from "./Snapshot.ts"

interface Tally {
  totalEvents: number
  uniqueUsers: number
  /** Cell and unit of every marker inside the bounds. */
  readonly cells: Array<number>
  readonly units: Array<number>
}

const add = (
  tally: Tally,
  { slab, rows, from, to }: Selection,
  plan: HeatmapPlan,
  box: Box,
  seen: Uint8Array
): void => {
  const [x, y, z] = [columnName.x, columnName.y, columnName.z].map((name) => numbersOf(slab.column(name)))
  const ids = slab.units()
  for (let place = from; place < to; place++) {
    const row = rows === null ? place : rows[place]!
    const px = x!(row)
    if (Number.isNaN(px)) continue
    tally.totalEvents++
    const unit = ids[row]!
    if (unit !== 0 && seen[unit] === 0) {
      seen[unit] = 1
      tally.uniqueUsers++
    }
    const cell = cellOf(box, plan.resolution, px, y!(row), z!(row))
    if (cell < 0) continue
    tally.cells.push(cell)
    tally.units.push(unit)
  }
}

const countCells = ({ cells, units }: Tally, size: number, width: number): HeatmapAnswer["cells"] => {
  const order = Uint32Array.from(cells, (_, at) => at).sort((a, b) => cells[a]! - cells[b]!)
  const stamps = new Uint32Array(size)
  const found: Array<{ column: number; row: number; count: number; units: number }> = []
  let last = -1
  for (const at of order) {
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

/** Answers a heatmap by scanning columns; equal to the pure function over the same markers. */
export const scanHeatmap = (plan: HeatmapPlan, snapshot: Snapshot): HeatmapAnswer => {
  const { units } = snapshot.environment
  const box = boxOf(plan.bounds)
  const seen = new Uint8Array(units)
  const tally: Tally = { totalEvents: 0, uniqueUsers: 0, cells: [], units: [] }
  for (const selector of plan.selectors)
    for (const selection of snapshot.selectBy(selector, plan.filter, plan.range)) add(tally, selection, plan, box, seen)
  const { totalEvents, uniqueUsers, cells } = tally
  return {
    cells: countCells(tally, units, plan.resolution.x),
    totalEvents,
    uniqueUsers,
    insideBounds: cells.length
  }
}
