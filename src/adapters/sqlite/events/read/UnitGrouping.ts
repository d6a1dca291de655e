import type { Dimension, GroupValues } from "../../../../domain/analytics/filter/Breakdown.ts"
import { columnName } from "../format/ColumnName.ts"
import { DimensionValues } from "./DimensionValues.ts"
import { outermostCodes } from "./OutermostRows.ts"
import type { Snapshot } from "./Snapshot.ts"

/** The groups of units: each unit is in one. */
export interface UnitGrouping {
  /** By unit number, the place of its group. */
  readonly groupOf: ArrayLike<number>
  readonly groups: ReadonlyArray<GroupValues>
}

/** By unit number, the code of the latest value that a marker of the unit has of the property. */
const latestCodes = (name: string, snapshot: Snapshot, values: DimensionValues): ArrayLike<number> => {
  const { environment, control } = snapshot
  const missing = values.codeOf(null)
  const codes = outermostCodes(
    "last",
    snapshot.selectAll(null, [], { from: -Infinity, to: Infinity }),
    environment.units,
    ({ block }) => {
      control.did(0)
      const codeOf = values.codesOf(block.column(columnName.property(name)))
      return (row) => {
        const code = codeOf(row)
        return code === missing ? -1 : code
      }
    }
  )
  return codes.map((code) => (code === -1 ? missing : code))
}

/**
 * Groups units by dimensions that belong to them: a property by its latest value, a cohort, an experiment; not an argument, of which each
 * marker has its own.
 */
export const unitGrouping = (dimensions: ReadonlyArray<Dimension>, snapshot: Snapshot): UnitGrouping => {
  const { units } = snapshot.environment
  let groupOf = new Uint32Array(units)
  let groups: ReadonlyArray<GroupValues> = [[]]
  for (const dimension of dimensions) {
    const values = new DimensionValues()
    const codes =
      snapshot.unitCodes(dimension, (value) => values.codeOf(value)) ?? latestCodes(dimension.name, snapshot, values)
    const known = new Map<number, number>()
    const wider: Array<GroupValues> = []
    const next = new Uint32Array(units)
    for (let unit = 0; unit < units; unit++) {
      const key = codes[unit]! * groups.length + groupOf[unit]!
      let place = known.get(key)
      if (place === undefined) {
        place = wider.push([...groups[groupOf[unit]!]!, values.values[codes[unit]!]!]) - 1
        known.set(key, place)
      }
      next[unit] = place
    }
    groupOf = next
    groups = wider
  }
  return { groupOf, groups }
}
