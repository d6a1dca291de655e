import type { Chdb } from "./Chdb.ts"
import { chdbNumbers } from "./Chdb.ts"
import type { DuckDBConnection } from "@duckdb/node-api"

type Numbers = ReadonlyArray<number>

/** The rows of an answer as numbers; texts are not numbers. */
export const duckNumbers = async (connection: DuckDBConnection, sql: string): Promise<ReadonlyArray<Numbers>> =>
  (await connection.runAndReadAll(sql)).getRows().map((row) => row.map(Number))

export const clickHouseNumbers = (chdb: Chdb, sql: string): ReadonlyArray<Numbers> => chdbNumbers(chdb, sql)

const known = (value: number): number => (Number.isNaN(value) ? 0 : value)

const isClose = (one: number, two: number): boolean => Math.abs(one - two) <= 1e-6 * Math.max(1, Math.abs(one))

const sum = (all: Numbers): number => all.reduce((total, value) => total + known(value), 0)

/**
 * Whether our numbers are those of the peer's rows: number for number where it answers as many, as the columns after the first one, one of
 * the columns, or one row; else by their sums, or by the number of rows.
 */
export const agrees = (ours: Numbers, rows: ReadonlyArray<Numbers>): boolean => {
  const columns = rows[0]?.map((_, column) => rows.map((row) => known(row[column] ?? 0))) ?? []
  const whole = [columns.slice(1).flat(), ...columns, rows[0] ?? []].filter(({ length }) => length === ours.length)
  if (whole.length > 0 && ours.length > 1)
    return whole.some((all) => all.every((value, at) => isClose(known(ours[at] ?? 0), known(value))))
  const sums = columns.map(sum)
  return [...sums, sum(sums), sum(sums.slice(1)), rows.length].some((value) => isClose(sum(ours), value))
}
