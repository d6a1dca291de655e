import type { Value, Values } from "../../../../domain/analytics/markers/Event.ts"
import { isProfileValue, profileOf } from "../../../../domain/analytics/markers/Profile.ts"
import { valueAt } from "../format/Column.ts"
import { columnName } from "../format/ColumnName.ts"
import { leavesOut } from "../read/BlocksOfUnit.ts"
import type { Snapshot } from "../read/Snapshot.ts"

interface Latest {
  readonly time: number
  readonly sequence: number
  readonly value: Value
}

const prefix = columnName.property("")

/** The latest value of each property of a unit. Ties are decided by order of receipt. */
export const scanProfile = (unitId: string, snapshot: Snapshot): Values => {
  const { environment, control } = snapshot
  const unit = environment.unitId(unitId)
  if (unit === undefined) return profileOf(new Map())
  const latest = new Map<string, Latest>()
  const isLeftOut = leavesOut(snapshot, unit)
  for (const block of environment.blocks) {
    if (isLeftOut(block)) continue
    const rows = block.rowsOfUnit(unit).reverse()
    for (const name of rows.length === 0 ? [] : block.columnNames) {
      const column = name.startsWith(prefix) ? block.column(name) : undefined
      const row = column && rows.find((each) => isProfileValue(valueAt(column, each)))
      if (column === undefined || row === undefined) continue
      const [time, sequence, value] = [block.times()[row]!, block.sequences()[row]!, valueAt(column, row)]
      const known = latest.get(name)
      const isNewer = known === undefined || time > known.time || (time === known.time && sequence > known.sequence)
      if (isNewer && value !== undefined) latest.set(name, { time, sequence, value })
    }
    control.advance(block.rows)
  }
  return profileOf(new Map([...latest].map(([name, { value }]) => [name.slice(prefix.length), value])))
}
