import { sequence } from "../../../src/adapters/sqlite/events/bytes/Sequence.ts"
import type { Column } from "../../../src/adapters/sqlite/events/format/Column.ts"
import { Coding } from "../../../src/adapters/sqlite/events/format/ColumnMaking.ts"
import type { Value } from "../../../src/domain/analytics/markers/Event.ts"

/** Makes a column of `cells` (undefined where there is no value), in the row order that `order` lists: codes once one of them is no number. */
export const columnOf = (
  cells: ReadonlyArray<Value | undefined>,
  order: Uint32Array = sequence(0, cells.length)
): Column => {
  const values = Array.from(order, (row) => cells[row])
  const numbers = values.flatMap((value) => (value === undefined ? [NaN] : typeof value === "number" ? [value] : []))
  if (numbers.length === values.length) return { type: "numbers", values: Float64Array.from(numbers) }
  const coding = new Coding()
  return coding.column(Uint32Array.from(values, (value) => (value === undefined ? 0 : coding.codeOf(value))))
}
