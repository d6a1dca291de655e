import { type Box, boxOf, cellOf } from "../../../domain/analytics/Heatmap.ts"
import type { HeatmapAnswer, HeatmapPlan, Resolution } from "../../../domain/analytics/HeatmapPlan.ts"
import { columnName } from "./Draft.ts"
import { numbersColumn } from "./Population.ts"
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
  const [x, y, z] = [columnName.x, columnName.y, columnName.z].map((name) =>
    numbersColumn(slab.column(name), slab.rows)
  )
  const ids = slab.units()
  const { least, most } = box
  for (let place = from; place < to; place++) {
    const row = rows === null ? place : rows[place]!
    const px = x![row]!
    if (Number.isNaN(px)) continue
    tally.totalEvents++
    const unit = ids[row]!
    if (unit !== 0 && seen[unit] === 0) {
      seen[unit] = 1
      tally.uniqueUsers++
    }
    const single = Math.fround(px)
    if (single < least.x || single > most.x) continue
    const cell = cellOf(box, plan.resolution, px, y![row]!, z![row]!)
    if (cell < 0) continue
    tally.cells.push(cell)
    tally.units.push(unit)
  }
}

/** The markers by cell: a counting sort. */
const byCell = (cells: ReadonlyArray<number>, size: number): Uint32Array => {
  const ends = new Uint32Array(size + 1)
  for (let at = 0; at < cells.length; at++) ends[cells[at]! + 1]!++
  for (let cell = 0; cell < size; cell++) ends[cell + 1]! += ends[cell]!
  const order = new Uint32Array(cells.length)
  for (let at = 0; at < cells.length; at++) order[ends[cells[at]!]!++] = at
  return order
}

const countCells = (
  { cells, units }: Tally,
  size: number,
  { x: width, y: height }: Resolution
): HeatmapAnswer["cells"] => {
  const stamps = new Uint32Array(size)
  const found: Array<{ column: number; row: number; count: number; units: number }> = []
  let last = -1
  for (const at of byCell(cells, width * height)) {
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
    cells: countCells(tally, units, plan.resolution),
    totalEvents,
    uniqueUsers,
    insideBounds: cells.length
  }
}
