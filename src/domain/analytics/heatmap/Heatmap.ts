import type { StoredEvent } from "../markers/Event.ts"
import type { Bounds, HeatmapAnswer, HeatmapPlan, Heights, Point, GridResolution } from "./HeatmapPlan.ts"
import { selectorTest } from "../filter/Selector.ts"

/** A box whose `least` corner has the smaller coordinates; single precision. */
export interface Box {
  readonly least: Point
  readonly most: Point
}

/** Positions are compared in single precision. */
export const single = Math.fround

/** The box between two opposite corners. */
export const boxOf = ({ pointA, pointB }: Bounds): Box => ({
  least: {
    x: single(Math.min(pointA.x, pointB.x)),
    y: single(Math.min(pointA.y, pointB.y)),
    z: single(Math.min(pointA.z, pointB.z))
  },
  most: {
    x: single(Math.max(pointA.x, pointB.x)),
    y: single(Math.max(pointA.y, pointB.y)),
    z: single(Math.max(pointA.z, pointB.z))
  }
})

/** Returns a test of heights in world Y: all of them hold where the plan names none. */
export const heightTest = (heights: Heights | undefined): ((y: number) => boolean) => {
  if (heights === undefined) return () => true
  const [low, high] = [single(heights.low), single(heights.high)]
  return (y) => single(y) >= low && single(y) <= high
}

/**
 * The cell (from 0) of a side from `least` to `most` in which a value lies; 0 for a side without length. It divides last: a share of the side,
 * multiplied by the cells, would be rounded down to the cell before at some boundaries.
 */
export const slot = (value: number, least: number, most: number, cells: number): number =>
  most === least ? 0 : Math.min(cells - 1, Math.floor(((value - least) * cells) / (most - least)))

/**
 * The index (row * columns + column) of the cell that contains a position; -1 outside the box. The far edges belong to
 * the last cells.
 */
export const cellOf = (box: Box, { x: columns, y: rows }: GridResolution, x: number, y: number, z: number): number => {
  const [px, py, pz] = [single(x), single(y), single(z)]
  const { least, most } = box
  const isInside = px >= least.x && px <= most.x && py >= least.y && py <= most.y && pz >= least.z && pz <= most.z
  return isInside ? slot(pz, least.z, most.z, rows) * columns + slot(px, least.x, most.x, columns) : -1
}

/** Answers a heatmap from the markers of one environment, in any order. */
export const heatmap = (events: ReadonlyArray<StoredEvent>, plan: HeatmapPlan): HeatmapAnswer => {
  const { range, bounds, resolution } = plan
  const box = boxOf(bounds)
  const isCounted = heightTest(plan.heights)
  const cells = new Map<number, { count: number; readonly units: Set<string> }>()
  const users = new Set<string>()
  let totalEvents = 0
  let insideBounds = 0
  for (const isSelected of plan.selectors.map((selector) => selectorTest(selector, plan.filter))) {
    for (const event of events) {
      const { position, timestamp, unitId } = event
      if (position === null || timestamp < range.from || timestamp >= range.to || !isSelected(event)) continue
      if (!isCounted(position[1])) continue
      totalEvents++
      if (unitId !== null) users.add(unitId)
      const index = cellOf(box, resolution, ...position)
      if (index < 0) continue
      insideBounds++
      const cell = cells.get(index) ?? { count: 0, units: new Set() }
      cell.count++
      if (unitId !== null) cell.units.add(unitId)
      cells.set(index, cell)
    }
  }
  return {
    cells: [...cells]
      .sort(([a], [b]) => a - b)
      .map(([index, { count, units }]) => ({
        column: index % resolution.x,
        row: Math.floor(index / resolution.x),
        count,
        units: units.size
      })),
    totalEvents,
    uniqueUsers: users.size,
    insideBounds
  }
}
