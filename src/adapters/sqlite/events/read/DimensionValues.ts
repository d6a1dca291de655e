import type { Scalar } from "../../../../domain/analytics/markers/Event.ts"
import { groupValue } from "../../../../domain/analytics/filter/Value.ts"
import type { Column } from "../format/Column.ts"

/**
 * More than the values of one dimension can be, each of which takes dozens of bytes: two of their numbers are a key as one number, which is
 * exact below 2^53.
 */
export const mostValues = 2 ** 26

type RowCode = (row: number) => number

/** Numbers one dimension's values in the order in which they first appear. */
export class DimensionValues {
  readonly values: Array<Scalar | null> = []
  private readonly known = new Map<Scalar | null, number>()

  codeOf(value: Scalar | null): number {
    let code = this.known.get(value)
    if (code === undefined) {
      code = this.values.push(value) - 1
      this.known.set(value, code)
    }
    return code
  }

  /** The number of each row's value. Values of a dictionary are looked up when a row with them is first asked about. */
  codesOf(column: Column | undefined): RowCode {
    if (column === undefined) {
      const missing = this.codeOf(null)
      return () => missing
    }
    if (column.type === "numbers") {
      const numbers = column.values
      return (row) => this.codeOf(Number.isNaN(numbers[row]!) ? null : numbers[row]!)
    }
    const { codes, dictionary } = column
    const known = new Int32Array(dictionary.count + 1).fill(-1)
    return (row) => {
      const code = codes[row]!
      if (known[code] === -1) known[code] = this.codeOf(code === 0 ? null : groupValue(dictionary.value(code - 1)))
      return known[code]!
    }
  }
}
