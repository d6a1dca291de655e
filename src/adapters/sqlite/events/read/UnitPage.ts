import { pageOfIds, type UnitPaging } from "../../../../domain/analytics/question/UnitList.ts"
import type { NamedUnit } from "../file/UnitOrder.ts"
import type { Environment } from "./Snapshot.ts"

type Named = Pick<Environment, "units" | "unitName" | "unitsInOrder">

/** Looking a unit's name up takes as long as reading some units in the order of their ids. */
const readsOfLookUp = 3

/**
 * The page of the units whose number has a value above 0; `count` tells how many these are. Where they are many, units are read in the order of
 * their ids until the page is full, so that the names of all others are not needed.
 */
export const pageOfUnitNumbers = (
  values: ArrayLike<number>,
  count: number,
  paging: UnitPaging,
  environment: Named
): ReadonlyArray<NamedUnit> => {
  const { after, limit } = paging
  if (count === 0 || limit === 0) return []
  const reads = Math.min(1, limit / count) * environment.units
  return reads < count * readsOfLookUp
    ? byReading(values, after, limit, environment)
    : byLookingUp(values, paging, environment)
}

const byReading = (
  values: ArrayLike<number>,
  after: string | null,
  limit: number,
  environment: Named
): ReadonlyArray<NamedUnit> => {
  const page: Array<NamedUnit> = []
  for (const named of environment.unitsInOrder({ prefix: "", direction: "ascending", after })) {
    if (!(values[named.unit]! > 0)) continue
    page.push(named)
    if (page.length === limit) break
  }
  return page
}

const byLookingUp = (values: ArrayLike<number>, paging: UnitPaging, environment: Named): ReadonlyArray<NamedUnit> => {
  const numbers = new Map<string, number>()
  for (let unit = 1; unit < values.length; unit++)
    if (values[unit]! > 0) numbers.set(environment.unitName(unit) ?? "", unit)
  return pageOfIds([...numbers.keys()], paging).map((name) => ({ unit: numbers.get(name)!, name }))
}
