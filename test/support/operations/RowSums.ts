import type Database from "better-sqlite3"
import { sumOfValues, type SummedTable } from "../../../src/adapters/sql/sums/RowSum.ts"

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Gives the rows of a table that a test has written by itself the checksums that the server would have given them. */
export const giveSums = (database: Database.Database, { name, columns, added }: SummedTable): void => {
  database.function("sum_of_values", { varargs: true }, (...values: ReadonlyArray<unknown>) => sumOfValues(values))
  const addend = added === undefined ? "0" : `ifnull(${snake(added)}, 0)`
  database.exec(
    `update ${name} set row_sum = cast(sum_of_values(${columns.map(snake).join(", ")}) as integer) + ${addend}`
  )
}
