import { dayStarts } from "../../../../domain/analytics/time/LocalDays.ts"
import type { BehaviourCondition } from "../../../../domain/cohorts/CohortPlan.ts"
import { quantityTest } from "../../../../domain/cohorts/Quantity.ts"
import { type CohortRows, eachRow } from "./CohortRows.ts"
import { columnName } from "../format/ColumnName.ts"
import { exactSumOf } from "../read/ExactSums.ts"
import { numbersColumn } from "../read/NumbersColumn.ts"
import type { Selection } from "../read/Selection.ts"

const counted = (selections: ReadonlyArray<Selection>, units: number): Uint32Array => {
  const counts = new Uint32Array(units)
  for (const { block, rows, from, to } of selections) {
    const ids = block.units()
    for (let place = from; place < to; place++) counts[ids[rows === null ? place : rows[place]!]!]!++
  }
  return counts
}

/** The number that each row of a selection contributes; NaN for none. */
type Numbers = (selection: Selection) => Float64Array

/** Collects values by unit: those of unit u are `values[starts[u]..starts[u + 1])`. */
const gathered = (selections: ReadonlyArray<Selection>, units: number, numbers: Numbers) => {
  const starts = new Uint32Array(units + 1)
  const columns = selections.map(numbers)
  for (const [at, selection] of selections.entries()) {
    const values = columns[at]!
    eachRow(selection, (unit, row) => {
      if (!Number.isNaN(values[row]!)) starts[unit + 1]!++
    })
  }
  for (let unit = 0; unit < units; unit++) starts[unit + 1]! += starts[unit]!
  const all = new Float64Array(starts[units]!)
  const next = starts.slice()
  for (const [at, selection] of selections.entries()) {
    const values = columns[at]!
    eachRow(selection, (unit, row) => {
      if (!Number.isNaN(values[row]!)) all[next[unit]!++] = values[row]!
    })
  }
  return { starts, values: all }
}

const distinct = (days: Float64Array): number => {
  days.sort()
  let count = 0
  for (let at = 0; at < days.length; at++) count += at === 0 || days[at] !== days[at - 1] ? 1 : 0
  return count
}

const least = (values: Float64Array): number => values.reduce((a, b) => Math.min(a, b))
const most = (values: Float64Array): number => values.reduce((a, b) => Math.max(a, b))

const reductions: Record<BehaviourCondition["measure"], (values: Float64Array) => number | null> = {
  count: (values) => values.length,
  distinctDays: distinct,
  sum: exactSumOf,
  average: (values) => (values.length === 0 ? null : exactSumOf(values) / values.length),
  min: (values) => (values.length === 0 ? null : least(values)),
  max: (values) => (values.length === 0 ? null : most(values))
}

const daysOf = (zone: string): Numbers => {
  const dayOf = dayStarts(zone)
  return ({ block }) => block.times().map(dayOf)
}

/** By unit number, 1 for each unit that satisfies the condition. Units without any marker can satisfy it too. */
export const scanBehaviour = (condition: BehaviourCondition, rows: CohortRows): Uint8Array => {
  const { did, selector, measure, argument, zone, operator, value, window } = condition
  const accepts = quantityTest(operator, value)
  const flags = new Uint8Array(rows.units)
  const selections = rows.selected(selector, window)
  if (measure === "count") {
    const counts = counted(selections, rows.units)
    for (let unit = 1; unit < flags.length; unit++) flags[unit] = accepts(counts[unit]!) === did ? 1 : 0
    return flags
  }
  const key = columnName.argument(argument)
  const numbers: Numbers =
    measure === "distinctDays" ? daysOf(zone) : ({ block }) => numbersColumn(block.column(key), block.rows)
  const { starts, values } = gathered(selections, rows.units, numbers)
  const reduce = reductions[measure]
  const isOfNone = accepts(reduce(new Float64Array(0))) === did ? 1 : 0
  for (let unit = 1; unit < flags.length; unit++)
    flags[unit] =
      starts[unit] === starts[unit + 1]
        ? isOfNone
        : accepts(reduce(values.subarray(starts[unit]!, starts[unit + 1]!))) === did
          ? 1
          : 0
  return flags
}
