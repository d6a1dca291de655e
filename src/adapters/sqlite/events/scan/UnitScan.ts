import { everything } from "../../../../domain/analytics/filter/Filter.ts"
import type { CountedUnits, CountedUnitsPlan, UnitSummary } from "../../../../domain/analytics/question/Question.ts"
import type { Snapshot } from "../read/Snapshot.ts"

/** A unit's first and last marker (epoch ms) and the number of its markers; null when it has none. */
export const scanUnit = (unitId: string, { environment, control }: Snapshot): UnitSummary | null => {
  const unit = environment.unitId(unitId)
  if (unit === undefined) return null
  let events = 0
  let firstSeenAt = Infinity
  let lastSeenAt = -Infinity
  // A unit without a number in the dictionary has markers in the tail alone.
  const blocks = unit < environment.firstUnstored ? environment.blocks : environment.tail
  for (const block of blocks) {
    for (const time of Array.from(block.timesAt(Uint32Array.from(block.rowsOfUnit(unit))))) {
      events++
      firstSeenAt = Math.min(firstSeenAt, time)
      lastSeenAt = Math.max(lastSeenAt, time)
    }
    control.advance(block.rows)
  }
  return events === 0 ? null : { unitId, firstSeenAt, lastSeenAt, events }
}

/** The units whose number of matching markers lies within the plan's limits. */
export const scanCountedUnits = (plan: CountedUnitsPlan, snapshot: Snapshot): CountedUnits => {
  const { environment } = snapshot
  const counts = new Uint32Array(environment.units)
  for (const { block, rows, from, to } of snapshot.selectBy(plan.selector, everything, plan.range)) {
    const units = block.units()
    for (let place = from; place < to; place++) counts[units[rows === null ? place : rows[place]!]!]!++
  }
  const found: Array<number> = []
  for (let unit = 1; unit < counts.length; unit++)
    if (counts[unit]! >= plan.minimum && counts[unit]! <= (plan.maximum ?? Infinity)) found.push(unit)
  if (plan.limit === 0) return { count: found.length, unitIds: [] }
  const unitIds = found.map((unit) => environment.unitName(unit) ?? "").sort()
  return { count: found.length, unitIds: unitIds.slice(0, plan.limit) }
}
