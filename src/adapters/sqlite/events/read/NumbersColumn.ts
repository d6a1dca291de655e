import { numberOf } from "../../../../domain/analytics/filter/Value.ts"
import type { Column } from "../format/Column.ts"

/** Each row's value as a number; NaN where it is missing or not numeric. */
export const numbersColumn = (column: Column | undefined, rows: number): Float64Array => {
  if (column === undefined) return new Float64Array(rows).fill(NaN)
  if (column.type === "numbers") return column.values
  const { codes, dictionary } = column
  const numbers = Float64Array.from({ length: dictionary.count + 1 }, (_, code) =>
    code === 0 ? NaN : (numberOf(dictionary.value(code - 1)) ?? NaN)
  )
  const values = new Float64Array(codes.length)
  for (let row = 0; row < codes.length; row++) values[row] = numbers[codes[row]!]!
  return values
}
