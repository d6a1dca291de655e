import type { RevenuePlan, UnitRevenue } from "../../../../domain/analytics/question/Question.ts"
import { exactSum } from "../../../../domain/analytics/insight/Sum.ts"
import { refineTypes } from "../read/Condition.ts"
import { columnName } from "../format/Draft.ts"
import { numbersColumn } from "../read/NumbersColumn.ts"
import type { Slab } from "../file/Slab.ts"
import type { Snapshot } from "../read/Snapshot.ts"

const rowsOfType = (slab: Slab, type: string): Uint32Array => {
  const rows = Uint32Array.from({ length: slab.rows }, (_, row) => row)
  return slab.type === null ? rows.subarray(0, refineTypes(slab, new Set([type]))(rows, slab.rows)) : rows
}

/** What each row brought, NaN where it tells nothing; null when no row can. */
const amountsOf = (slab: Slab, { argument, purchase }: RevenuePlan): Float64Array | null => {
  const own = slab.column(columnName.argument(argument))
  const isPossible = slab.type === null || slab.type === purchase.type
  const price = isPossible ? slab.column(columnName.argument(purchase.argument)) : undefined
  if (own === undefined && price === undefined) return null
  const amounts = numbersColumn(own, slab.rows)
  if (price === undefined) return amounts
  const filled = amounts.slice()
  const prices = numbersColumn(price, slab.rows)
  for (const row of rowsOfType(slab, purchase.type)) if (Number.isNaN(filled[row]!)) filled[row] = prices[row]!
  return filled
}

/** First marker ever and revenue in its own range of each unit. */
export const scanRevenue = (plan: RevenuePlan, { environment, control }: Snapshot): ReadonlyArray<UnitRevenue> => {
  const { units } = plan
  const asked = units.map(({ unitId }) => environment.unitId(unitId) ?? 0)
  const places = new Int32Array(environment.units).fill(-1)
  for (const [place, unit] of asked.entries()) if (unit !== 0) places[unit] = place
  const firstSeen = new Float64Array(units.length).fill(Infinity)
  const paid = units.map((): Array<number> => [])
  for (const slab of environment.slabs) {
    const [ids, times, amounts] = [slab.units(), slab.times(), amountsOf(slab, plan)]
    for (let row = 0; row < slab.rows; row++) {
      const place = places[ids[row]!]!
      if (place < 0) continue
      const time = times[row]!
      if (time < firstSeen[place]!) firstSeen[place] = time
      if (amounts === null || Number.isNaN(amounts[row]!)) continue
      const { from, to } = units[place]!
      if (time >= from && time <= to) paid[place]!.push(amounts[row]!)
    }
    control.advance(slab.rows)
  }
  return units.map((_, place) => ({
    firstSeenAt: firstSeen[place] === Infinity ? null : firstSeen[place]!,
    revenue: exactSum(paid[place]!)
  }))
}
