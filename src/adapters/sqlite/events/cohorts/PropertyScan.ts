import type { Scalar } from "../../../../domain/analytics/markers/Event.ts"
import { elementTest } from "../../../../domain/analytics/filter/Filter.ts"
import { elementsOf } from "../../../../domain/analytics/filter/Value.ts"
import type { PropertyCondition } from "../../../../domain/cohorts/CohortPlan.ts"
import type { CohortRows } from "./CohortRows.ts"
import type { Column } from "../format/Column.ts"
import { columnName } from "../format/ColumnName.ts"

const outcome = { missing: 0, fails: 1, holds: 2 } as const

type Test = (elements: ReadonlyArray<Scalar>) => boolean

/** What a row's value says about the unit: nothing, or whether the test holds. */
const outcomes = (column: Column, test: Test): ((row: number) => number) => {
  const judge = (elements: ReadonlyArray<Scalar>) => (test(elements) ? outcome.holds : outcome.fails)
  if (column.type === "numbers") {
    const known = new Map<number, number>()
    return (row) => {
      const value = column.values[row]!
      if (Number.isNaN(value)) return outcome.missing
      let judged = known.get(value)
      if (judged === undefined) {
        judged = judge([value])
        if (known.size < 100_000) known.set(value, judged)
      }
      return judged
    }
  }
  const { codes, dictionary } = column
  const judged = new Uint8Array(dictionary.count + 1)
  for (let index = 0; index < dictionary.count; index++) {
    const elements = elementsOf(dictionary.value(index))
    judged[index + 1] = elements.length === 0 ? outcome.missing : judge(elements)
  }
  return (row) => judged[codes[row]!]!
}

/**
 * By unit number, 1 where the unit's latest value satisfies the condition. A unit without a value is tested as having
 * none.
 */
export const scanProperty = ({ comparison }: PropertyCondition, rows: CohortRows): Uint8Array => {
  const { environment, control } = rows.snapshot
  const test = elementTest(comparison.operator, comparison.operands)
  const flags = new Uint8Array(environment.units).fill(test([]) ? 1 : 0)
  const latest = new Float64Array(environment.units).fill(-Infinity)
  const sequences = new Float64Array(environment.units)
  for (const block of environment.blocks) {
    const column = block.column(columnName.property(comparison.name))
    if (column === undefined) continue
    control.advance(block.rows)
    const outcomeAt = outcomes(column, test)
    const [units, times, receipts] = [block.units(), block.times(), block.sequences()]
    for (let row = 0; row < block.rows; row++) {
      const judged = outcomeAt(row)
      const unit = units[row]!
      const time = times[row]!
      if (judged === outcome.missing || time < latest[unit]!) continue
      if (time === latest[unit]! && receipts[row]! < sequences[unit]!) continue
      latest[unit] = time
      sequences[unit] = receipts[row]!
      flags[unit] = judged === outcome.holds ? 1 : 0
    }
  }
  return flags
}
