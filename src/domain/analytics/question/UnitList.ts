import { DateTime } from "effect"
import { byCodePoint } from "../../CodePointOrder.ts"
import { firstPlace } from "../../FirstPlace.ts"

/** Which units of a list to answer. */
export interface UnitPaging {
  /** Lists units after this id, ascending by code points; null starts at the first. */
  readonly after: string | null
  /** The most units to list; the total always covers all of them. */
  readonly limit: number
}

/** A unit behind a number. */
export interface ListedUnit {
  readonly unitId: string
  /** What the unit itself adds to the number, as its kind of question defines it; null where there is nothing to compute. */
  readonly value: number | null
  /** Epoch ms of the unit's latest marker that counts. */
  readonly lastAt: number
}

export interface UnitList {
  readonly units: ReadonlyArray<ListedUnit>
  /** The number of all units behind the number, on every page. */
  readonly total: number
}

/** The list without anybody. */
export const noUnits: UnitList = { units: [], total: 0 }

/** The ids of a page, out of all ids in any order. Ids that cannot be on it are compared once, with the last one that is so far. */
export const pageOfIds = (ids: ReadonlyArray<string>, { after, limit }: UnitPaging): ReadonlyArray<string> => {
  if (ids.length <= limit) return ids.filter((id) => after === null || byCodePoint(id, after) > 0).sort(byCodePoint)
  const page: Array<string> = []
  for (const id of ids) {
    const last = page[limit - 1]
    if (after !== null && byCodePoint(id, after) <= 0) continue
    if (last !== undefined && byCodePoint(id, last) > 0) continue
    const place = firstPlace(page.length, (at) => byCodePoint(page[at]!, id) > 0)
    page.splice(place, 0, id)
    if (page.length > limit) page.pop()
  }
  return page
}

/** A page of units, out of all that are behind the number, in any order. */
export const pageOfUnits = (units: ReadonlyMap<string, Omit<ListedUnit, "unitId">>, paging: UnitPaging): UnitList => ({
  units: pageOfIds([...units.keys()], paging).map((unitId) => Object.assign({ unitId }, units.get(unitId)!)),
  total: units.size
})

/** A page as it is answered: the last id leads to the next page, of which one unit more than `limit` was asked for. */
export const unitListPage = ({ units, total }: UnitList, limit: number) => {
  const items = units.slice(0, limit).map(({ unitId, value, lastAt }) => ({
    unitId,
    value,
    lastAt: DateTime.unsafeMake(lastAt)
  }))
  return { items, total, nextCursor: units.length > limit ? (items.at(-1)?.unitId ?? null) : null }
}
