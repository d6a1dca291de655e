import {
  ArgumentCounts,
  type HeatmapArguments,
  type HeatmapArgumentsPlan
} from "../../../../../domain/analytics/heatmap/HeatmapArguments.ts"
import { areaTest } from "../../../../../domain/analytics/heatmap/HeatmapUnits.ts"
import type { RowBlock } from "../../file/RowBlock.ts"
import type { Column } from "../../format/Column.ts"
import { columnName, namedByGame } from "../../format/ColumnName.ts"
import { numbersColumn } from "../../read/NumbersColumn.ts"
import type { Selection } from "../../read/Selection.ts"
import type { Snapshot } from "../../read/Snapshot.ts"

type IsInside = ReturnType<typeof areaTest>

/** The selected rows whose position lies inside. */
const rowsInside = ({ block, rows, from, to }: Selection, isInside: IsInside): Uint32Array => {
  const [x, y, z] = [columnName.x, columnName.y, columnName.z].map((name) =>
    numbersColumn(block.column(name), block.rows)
  )
  const inside = new Uint32Array(to - from)
  let count = 0
  for (let place = from; place < to; place++) {
    const row = rows === null ? place : rows[place]!
    if (!Number.isNaN(x![row]!) && isInside(x![row]!, y![row]!, z![row]!)) inside[count++] = row
  }
  return inside.slice(0, count)
}

const addColumn = (name: string, column: Column, counts: ArgumentCounts): void => {
  if (column.type === "numbers") {
    for (const value of column.values) if (!Number.isNaN(value)) counts.add(name, value, 1)
    return
  }
  const { codes, dictionary } = column
  const byCode = new Uint32Array(dictionary.count + 1)
  for (const code of codes) byCode[code]!++
  for (let index = 0; index < dictionary.count; index++) counts.add(name, dictionary.value(index), byCode[index + 1]!)
}

const addRows = (block: RowBlock, rows: Uint32Array, counts: ArgumentCounts): void => {
  counts.markers += rows.length
  if (rows.length === 0) return
  for (const stored of block.columnNames) {
    const named = namedByGame(stored)
    if (named?.source !== "argument") continue
    const column = block.columnAt(stored, rows)
    if (column !== undefined) addColumn(named.name, column, counts)
  }
}

/** What the arguments of a heatmap's markers in an area say. Equals the domain's pure function over the same markers. */
export const scanHeatmapArguments = (plan: HeatmapArgumentsPlan, snapshot: Snapshot): HeatmapArguments => {
  const { selectors, filter, range } = plan.heatmap
  const counts = new ArgumentCounts()
  const isInside = areaTest(plan)
  snapshot.control.selections(selectors.length)
  for (const selector of selectors)
    for (const selection of snapshot.selectPlaced(selector, filter, range))
      addRows(selection.block, rowsInside(selection, isInside), counts)
  return counts.most(plan)
}
