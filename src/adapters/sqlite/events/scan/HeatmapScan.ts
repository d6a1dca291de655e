import { type Box, boxOf, cellOf, heightTest } from "../../../../domain/analytics/heatmap/Heatmap.ts"
import type { HeatmapAnswer, HeatmapPlan, Resolution } from "../../../../domain/analytics/heatmap/HeatmapPlan.ts"
import { columnName } from "../format/ColumnName.ts"
import { numbersColumn } from "../read/NumbersColumn.ts"
import { selectedNumbers } from "../read/SelectedNumbers.ts"
import type { Selection } from "../read/Selection.ts"
import type { Snapshot } from "../read/Snapshot.ts"

/** The cell and unit of each marker inside the bounds, and totals over all markers with a position. */
class Tally {
  totalEvents = 0
  uniqueUsers = 0
  count = 0
  cells = new Uint32Array(65_536)
  units = new Uint32Array(65_536)

  /** Makes room for `more` entries. */
  reserve(more: number): void {
    if (this.count + more <= this.cells.length) return
    const length = Math.max(this.count + more, 2 * this.cells.length)
    const [cells, units] = [new Uint32Array(length), new Uint32Array(length)]
    cells.set(this.cells)
    units.set(this.units)
    this.cells = cells
    this.units = units
  }
}

const add = (tally: Tally, selection: Selection, plan: HeatmapPlan, box: Box, seen: Uint8Array): void => {
  const { block, rows, from, to } = selection
  const x = numbersColumn(block.column(columnName.x), block.rows)
  const { columns, isPicked } = selectedNumbers(selection, [columnName.y, columnName.z])
  const [y, z] = columns
  const ids = block.units()
  const { least, most } = box
  tally.reserve(to - from)
  const { cells, units } = tally
  const isCounted = heightTest(plan.heights)
  let { count, totalEvents } = tally
  for (let place = from; place < to; place++) {
    const row = rows === null ? place : rows[place]!
    const at = isPicked ? place - from : row
    const px = x[row]!
    if (Number.isNaN(px) || !isCounted(y![at]!)) continue
    totalEvents++
    const unit = ids[row]!
    if (unit !== 0 && seen[unit] === 0) {
      seen[unit] = 1
      tally.uniqueUsers++
    }
    const single = Math.fround(px)
    if (single < least.x || single > most.x) continue
    const cell = cellOf(box, plan.resolution, px, y![at]!, z![at]!)
    if (cell < 0) continue
    cells[count] = cell
    units[count++] = unit
  }
  tally.count = count
  tally.totalEvents = totalEvents
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

const countCells = (tally: Tally, size: number, { x: width, y: height }: Resolution): HeatmapAnswer["cells"] => {
  const cells = tally.cells.subarray(0, tally.count)
  const { units } = tally
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

/** Answers a heatmap by scanning columns. Equals the domain's pure function over the same markers. */
export const scanHeatmap = (plan: HeatmapPlan, snapshot: Snapshot): HeatmapAnswer => {
  const { units } = snapshot.environment
  const box = boxOf(plan.bounds)
  const seen = new Uint8Array(units)
  const tally = new Tally()
  for (const selector of plan.selectors)
    for (const selection of snapshot.selectPlaced(selector, plan.filter, plan.range))
      add(tally, selection, plan, box, seen)
  const { totalEvents, uniqueUsers, count } = tally
  return {
    cells: countCells(tally, units, plan.resolution),
    totalEvents,
    uniqueUsers,
    insideBounds: count
  }
}
