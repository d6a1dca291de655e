import type { UnitSummary } from "./Question.ts"
import type { Snapshot } from "./Snapshot.ts"

/** First and last marker of a unit, and how many there are. */
export const scanUnit = (unitId: string, { environment, control }: Snapshot): UnitSummary | null => {
  const unit = environment.unitId(unitId)
  if (unit === undefined) return null
  let events = 0
  let firstSeenAt = Infinity
  let lastSeenAt = -Infinity
  for (const slab of environment.slabs) {
    const units = slab.units()
    for (let row = units.indexOf(unit); row >= 0; row = units.indexOf(unit, row + 1)) {
      const time = slab.times()[row]!
      events++
      firstSeenAt = Math.min(firstSeenAt, time)
      lastSeenAt = Math.max(lastSeenAt, time)
    }
    control.advance(slab.rows)
  }
  return events === 0 ? null : { unitId, firstSeenAt, lastSeenAt, events }
}
