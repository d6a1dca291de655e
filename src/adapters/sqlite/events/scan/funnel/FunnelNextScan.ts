import { isDone } from "../../../../../domain/analytics/filter/Memberships.ts"
import {
  type FunnelNext,
  funnelNextOf,
  type FunnelNextPlan,
  lastStepAt
} from "../../../../../domain/analytics/funnel/FunnelNext.ts"
import { valueAt } from "../../format/Column.ts"
import { columnName } from "../../format/ColumnName.ts"
import type { RowBlock } from "../../file/RowBlock.ts"
import type { Snapshot } from "../../read/Snapshot.ts"
import { funnelUnitNumbers } from "./FunnelUnitsScan.ts"

/** By unit number, the earliest row after an instant that is the unit's own. */
interface Earliest {
  /** Epoch ms; Infinity for a unit that is not asked about. */
  readonly since: Float64Array
  readonly times: Float64Array
  readonly sequences: Float64Array
  readonly types: Array<string | undefined>
}

const typesOf = (block: RowBlock): ((row: number) => string) => {
  const { type } = block
  if (type !== null) return () => type
  const column = block.column(columnName.type)
  return (row) => (column === undefined ? "" : String(valueAt(column, row)))
}

const look = (block: RowBlock, from: number, { since, times, sequences, types }: Earliest): void => {
  const [units, instants, order] = [block.units(), block.times(), block.sequences()]
  const typeOf = typesOf(block)
  for (let row = block.rowAt(from); row < block.rows; row++) {
    const unit = units[row]!
    const time = instants[row]!
    if (time <= since[unit]! || time > times[unit]!) continue
    if (time === times[unit]! && order[row]! > sequences[unit]!) continue
    const type = typeOf(row)
    if (!isDone(type)) continue
    times[unit] = time
    sequences[unit] = order[row]!
    types[unit] = type
  }
}

/** What the units behind a number of a funnel did next. Equals the domain's pure function over the same markers. */
export const scanFunnelNext = (plan: FunnelNextPlan, snapshot: Snapshot): FunnelNext => {
  const { environment, control } = snapshot
  const { flags, count, timesOf } = funnelUnitNumbers(plan.units, snapshot)
  const size = environment.units
  const found: Earliest = {
    since: new Float64Array(size).fill(Infinity),
    times: new Float64Array(size).fill(Infinity),
    sequences: new Float64Array(size).fill(Infinity),
    types: Array.from({ length: size }, () => undefined)
  }
  let first = Infinity
  for (let unit = 1; unit < flags.length; unit++) {
    if (flags[unit] === 0) continue
    found.since[unit] = lastStepAt(timesOf(unit))
    first = Math.min(first, found.since[unit]!)
  }
  for (const block of environment.blocks)
    if (block.lastTimestamp > first) {
      look(block, first, found)
      control.advance(block.rows)
    }
  return funnelNextOf(
    found.types.filter((type) => type !== undefined),
    count,
    plan.types
  )
}
