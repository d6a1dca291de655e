import { selectorTest } from "../filter/Selector.ts"
import type { Position, StoredEvent } from "../markers/Event.ts"
import { type ListedUnit, pageOfUnits, type UnitList, type UnitPaging } from "../question/UnitList.ts"
import { type Box, boxOf, cellOf, heightTest, single, slot } from "./Heatmap.ts"
import type { Bounds, HeatmapPlan } from "./HeatmapPlan.ts"

/** Markers of a heatmap that lie in an area. */
export interface MarkersInArea {
  readonly heatmap: HeatmapPlan
  /** Widened to the whole cells that it touches; null chooses every marker with a position, outside the bounds too. */
  readonly area: Bounds | null
}

/** Which units of a heatmap to list. */
export interface HeatmapUnitsPlan extends MarkersInArea, UnitPaging {}

const isApart = (area: Box, bounds: Box): boolean =>
  area.least.x > bounds.most.x ||
  area.most.x < bounds.least.x ||
  area.least.z > bounds.most.z ||
  area.most.z < bounds.least.z

/** Returns a test of positions: whether they lie in the cells, and between the heights, of the plan's area and heatmap. */
export const areaTest = ({ heatmap, area }: MarkersInArea): ((x: number, y: number, z: number) => boolean) => {
  const isCounted = heightTest(heatmap.heights)
  if (area === null) return (_, y) => isCounted(y)
  const { bounds, resolution } = heatmap
  const box = boxOf(bounds)
  const { least, most } = boxOf(area)
  if (isApart({ least, most }, box)) return () => false
  const across = (value: number): number => slot(Math.max(value, box.least.x), box.least.x, box.most.x, resolution.x)
  const along = (value: number): number => slot(Math.max(value, box.least.z), box.least.z, box.most.z, resolution.y)
  const [left, right] = [across(least.x), across(most.x)]
  const [first, last] = [along(least.z), along(most.z)]
  return (x, y, z) => {
    const cell = cellOf(box, resolution, x, y, z)
    if (cell < 0 || single(y) < least.y || single(y) > most.y || !isCounted(y)) return false
    const [column, row] = [cell % resolution.x, Math.floor(cell / resolution.x)]
    return column >= left && column <= right && row >= first && row <= last
  }
}

/**
 * The units of a heatmap's markers in an area. Of one cell there are as many as the heatmap counts there, and without
 * an area as many as its `uniqueUsers`. A unit's value is the number of its markers.
 */
export const heatmapUnits = (events: ReadonlyArray<StoredEvent>, plan: HeatmapUnitsPlan): UnitList => {
  const { range, selectors, filter } = plan.heatmap
  const isInside = areaTest(plan)
  const isCounted = (position: Position | null, timestamp: number): boolean =>
    position !== null && timestamp >= range.from && timestamp < range.to && isInside(...position)
  const units = new Map<string, Omit<ListedUnit, "unitId"> & { readonly value: number }>()
  for (const isSelected of selectors.map((selector) => selectorTest(selector, filter)))
    for (const event of events) {
      const { unitId, timestamp, position } = event
      if (unitId === null || !isCounted(position, timestamp) || !isSelected(event)) continue
      const known = units.get(unitId)
      const lastAt = Math.max(known?.lastAt ?? -Infinity, timestamp)
      units.set(unitId, { value: (known?.value ?? 0) + 1, lastAt })
    }
  return pageOfUnits(units, plan)
}
