import { numberOf } from "../../../../domain/analytics/filter/Value.ts"
import type { Codes, Column } from "../format/Column.ts"

/** By code, the number that the value is; NaN where it is none. */
const numbersByCode = ({ dictionary }: Codes): Float64Array =>
  Float64Array.from({ length: dictionary.count + 1 }, (_, code) =>
    code === 0 ? NaN : (numberOf(dictionary.value(code - 1)) ?? NaN)
  )

/** Each row's value as a number; NaN where it is missing or not numeric. */
export const numbersColumn = (column: Column | undefined, rows: number): Float64Array => {
  if (column === undefined) return new Float64Array(rows).fill(NaN)
  if (column.type === "numbers") return column.values
  const numbers = numbersByCode(column)
  const { codes } = column
  const values = new Float64Array(codes.length)
  for (let row = 0; row < codes.length; row++) values[row] = numbers[codes[row]!]!
  return values
}

/** Every number that the column has, each once or more often, among them NaN. */
export const numbersIn = (column: Column | undefined): Float64Array => {
  if (column === undefined) return new Float64Array(0)
  return column.type === "numbers" ? column.values : numbersByCode(column)
}
