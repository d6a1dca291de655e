import { columnName } from "../format/ColumnName.ts"
import { numbersColumn } from "./NumbersColumn.ts"
import type { Selection } from "./Selection.ts"

/** By unit number, the group that the unit was exposed to; NaN if it was exposed to none, or to several. */
export const scanExposures = (
  exposures: ReadonlyArray<Selection>,
  experimentId: number,
  units: number
): Float64Array => {
  const groups = new Float64Array(units).fill(NaN)
  const isDivided = new Uint8Array(units)
  for (const { block, rows, from, to } of exposures) {
    const ids = block.units()
    const experiments = numbersColumn(block.column(columnName.argument("experimentId")), block.rows)
    const named = numbersColumn(block.column(columnName.argument("groupId")), block.rows)
    for (let place = from; place < to; place++) {
      const row = rows === null ? place : rows[place]!
      if (experiments[row] !== experimentId || Number.isNaN(named[row]!)) continue
      const unit = ids[row]!
      if (Number.isNaN(groups[unit]!)) groups[unit] = named[row]!
      else if (groups[unit] !== named[row]) isDivided[unit] = 1
    }
  }
  for (let unit = 0; unit < units; unit++) if (unit === 0 || isDivided[unit] === 1) groups[unit] = NaN
  return groups
}
