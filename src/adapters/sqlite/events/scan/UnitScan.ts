import { unfiltered } from "../../../../domain/analytics/filter/Filter.ts"
import type { CountedUnits, CountedUnitsPlan, UnitSummary } from "../../../../domain/analytics/question/Question.ts"
import { leavesOut } from "../read/BlocksOfUnit.ts"
import type { Snapshot } from "../read/Snapshot.ts"

/** A unit's first and last marker (epoch ms) and the number of its markers; null when it has none. */
export const scanUnit = (unitId: string, snapshot: Snapshot): UnitSummary | null => {
  const { environment, control } = snapshot
  const unit = environment.unitId(unitId)
  if (unit === undefined) return null
  let events = 0
  let firstSeenAt = Infinity
  let lastSeenAt = -Infinity
  const isLeftOut = leavesOut(snapshot, unit)
  for (const block of environment.blocks) {
    if (isLeftOut(block)) continue
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
  for (const { block, rows, from, to } of snapshot.selectBy(plan.selector, unfiltered, plan.range)) {
    const units = block.units()
    if (rows === null) for (let row = from; row < to; row++) counts[units[row]!]!++
    else for (let place = from; place < to; place++) counts[units[rows[place]!]!]!++
  }
  const { minimum, maximum, limit } = plan
  const most = maximum ?? Infinity
  let count = 0
  for (let unit = 1; unit < counts.length; unit++)
    count += Number(counts[unit]! >= minimum) & Number(counts[unit]! <= most)
  if (limit === 0) return { count, unitIds: [] }
  const found: Array<number> = []
  for (let unit = 1; unit < counts.length; unit++)
    if (counts[unit]! >= minimum && counts[unit]! <= most) found.push(unit)
  const unitIds = found.map((unit) => environment.unitName(unit) ?? "").sort()
  return { count, unitIds: unitIds.slice(0, limit) }
}
