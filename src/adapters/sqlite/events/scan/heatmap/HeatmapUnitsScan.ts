import { areaTest, type HeatmapUnitsPlan } from "../../../../../domain/analytics/heatmap/HeatmapUnits.ts"
import type { UnitList } from "../../../../../domain/analytics/question/UnitList.ts"
import { columnName } from "../../format/ColumnName.ts"
import { numbersColumn } from "../../read/NumbersColumn.ts"
import type { Selection } from "../../read/Selection.ts"
import type { Snapshot } from "../../read/Snapshot.ts"
import { UnitTally } from "../../read/UnitTally.ts"

type IsInside = ReturnType<typeof areaTest>

const add = ({ block, rows, from, to }: Selection, isInside: IsInside, totals: UnitTally): void => {
  const [x, y, z] = [columnName.x, columnName.y, columnName.z].map((name) =>
    numbersColumn(block.column(name), block.rows)
  )
  const [ids, times] = [block.units(), block.times()]
  for (let place = from; place < to; place++) {
    const row = rows === null ? place : rows[place]!
    if (Number.isNaN(x![row]!) || !isInside(x![row]!, y![row]!, z![row]!)) continue
    totals.add(ids[row]!, times[row]!)
  }
}

/** The units of a heatmap's markers in an area. Equals the domain's pure function over the same markers. */
export const scanHeatmapUnits = (plan: HeatmapUnitsPlan, snapshot: Snapshot): UnitList => {
  const { selectors, filter, range } = plan.heatmap
  const totals = new UnitTally(snapshot.environment)
  const isInside = areaTest(plan)
  snapshot.control.selections(selectors.length)
  for (const selector of selectors)
    for (const selection of snapshot.selectPlaced(selector, filter, range)) add(selection, isInside, totals)
  const { total, units } = totals.page(plan)
  return {
    units: units.map(({ unit, name }) => ({ unitId: name, value: totals.counts[unit]!, lastAt: totals.last[unit]! })),
    total
  }
}
