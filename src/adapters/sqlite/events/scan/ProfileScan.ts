import type { Value, Values } from "../../../../domain/analytics/markers/Event.ts"
import { profileOf } from "../../../../domain/analytics/markers/Profile.ts"
import { valueAt } from "../format/Column.ts"
import { columnName } from "../format/Draft.ts"
import type { Slab } from "../file/Slab.ts"
import type { Snapshot } from "../read/Snapshot.ts"

interface Latest {
  readonly time: number
  readonly sequence: number
  readonly value: Value
}

const prefix = columnName.property("")

const rowsOf = (slab: Slab, unit: number): ReadonlyArray<number> => {
  const units = slab.units()
  const rows: Array<number> = []
  for (let row = units.lastIndexOf(unit); row >= 0; row = row === 0 ? -1 : units.lastIndexOf(unit, row - 1))
    rows.push(row)
  return rows
}

/** The latest value of each property of a unit. */
export const scanProfile = (unitId: string, { environment, control }: Snapshot): Values => {
  const unit = environment.unitId(unitId)
  const latest = new Map<string, Latest>()
  for (const slab of unit === undefined ? [] : environment.slabs) {
    const rows = rowsOf(slab, unit ?? 0)
    for (const name of rows.length === 0 ? [] : slab.columnNames) {
      const column = name.startsWith(prefix) ? slab.column(name) : undefined
      const row = column && rows.find((each) => valueAt(column, each) !== undefined)
      if (column === undefined || row === undefined) continue
      const [time, sequence, value] = [slab.times()[row]!, slab.sequences()[row]!, valueAt(column, row)]
      const known = latest.get(name)
      const isNewer = known === undefined || time > known.time || (time === known.time && sequence > known.sequence)
      if (isNewer && value !== undefined) latest.set(name, { time, sequence, value })
    }
    control.advance(slab.rows)
  }
  return profileOf(new Map([...latest].map(([name, { value }]) => [name.slice(prefix.length), value])))
}
