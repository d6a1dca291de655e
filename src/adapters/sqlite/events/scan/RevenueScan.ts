import type { RevenuePlan, UnitRevenue } from "../../../../domain/analytics/question/Question.ts"
import { exactSum } from "../../../../domain/analytics/insight/Sum.ts"
import { refineTypes } from "../read/Condition.ts"
import { columnName } from "../format/ColumnName.ts"
import { numbersColumn } from "../read/NumbersColumn.ts"
import type { RowBlock } from "../file/RowBlock.ts"
import type { Snapshot } from "../read/Snapshot.ts"

const rowsOfType = (block: RowBlock, type: string): Uint32Array => {
  const rows = Uint32Array.from({ length: block.rows }, (_, row) => row)
  return block.type === null ? rows.subarray(0, refineTypes(block, (each) => each === type)(rows, block.rows)) : rows
}

/** The revenue of each row, NaN where it has none; null when no row of the block has any. */
const amountsOf = (block: RowBlock, { argument, purchase }: RevenuePlan): Float64Array | null => {
  const own = block.column(columnName.argument(argument))
  const isPossible = block.type === null || block.type === purchase.type
  const price = isPossible ? block.column(columnName.argument(purchase.argument)) : undefined
  if (own === undefined && price === undefined) return null
  const amounts = numbersColumn(own, block.rows)
  if (price === undefined) return amounts
  const filled = amounts.slice()
  const prices = numbersColumn(price, block.rows)
  for (const row of rowsOfType(block, purchase.type)) if (Number.isNaN(filled[row]!)) filled[row] = prices[row]!
  return filled
}

/** For each asked unit, the time of its first marker ever and its revenue within its own range. */
export const scanRevenue = (plan: RevenuePlan, { environment, control }: Snapshot): ReadonlyArray<UnitRevenue> => {
  const { units } = plan
  const asked = units.map(({ unitId }) => environment.unitId(unitId) ?? 0)
  const places = new Int32Array(environment.units).fill(-1)
  for (const [place, unit] of asked.entries()) if (unit !== 0) places[unit] = place
  const firstSeen = new Float64Array(units.length).fill(Infinity)
  const paid = units.map((): Array<number> => [])
  for (const block of environment.blocks) {
    const [ids, times, amounts] = [block.units(), block.times(), amountsOf(block, plan)]
    for (let row = 0; row < block.rows; row++) {
      const place = places[ids[row]!]!
      if (place < 0) continue
      const time = times[row]!
      if (time < firstSeen[place]!) firstSeen[place] = time
      if (amounts === null || Number.isNaN(amounts[row]!)) continue
      const { from, to } = units[place]!
      if (time >= from && time <= to) paid[place]!.push(amounts[row]!)
    }
    control.advance(block.rows)
  }
  return units.map((_, place) => ({
    firstSeenAt: firstSeen[place] === Infinity ? null : firstSeen[place]!,
    revenue: exactSum(paid[place]!)
  }))
}
