import type { StoredEvent } from "../markers/Event.ts"
import { unfiltered } from "../filter/Filter.ts"
import type { CountedUnits, CountedUnitsPlan } from "../question/Question.ts"
import { selectorTest } from "../filter/Selector.ts"

/** Counts the units that have between `minimum` and `maximum` of the selected markers in the range. */
export const countedUnits = (events: ReadonlyArray<StoredEvent>, plan: CountedUnitsPlan): CountedUnits => {
  const { range, minimum, maximum, limit } = plan
  const isSelected = selectorTest(plan.selector, unfiltered)
  const counts = new Map<string, number>()
  for (const event of events)
    if (event.unitId !== null && event.timestamp >= range.from && event.timestamp < range.to && isSelected(event))
      counts.set(event.unitId, (counts.get(event.unitId) ?? 0) + 1)
  const found = [...counts].filter(([, count]) => count >= minimum && count <= (maximum ?? Infinity))
  const unitIds = found.map(([unitId]) => unitId).sort()
  return { count: found.length, unitIds: unitIds.slice(0, limit) }
}
