import type { SqlClient } from "@effect/sql"
import { String } from "effect"

/** The types of columns that rows are passed as. */
export type ColumnType = "text" | "bigint"

/**
 * Rows that are passed as one text of JSON, which the database unpacks: one statement for any number of them. A table for `from`, called
 * `given`, with the columns of these fields in snake_case.
 */
export const givenRows = <Row extends object>(
  sql: SqlClient.SqlClient,
  types: Readonly<Record<keyof Row & string, ColumnType>>,
  rows: ReadonlyArray<Row>
) => {
  const json = JSON.stringify(rows)
  const fields = Object.entries<ColumnType>(types)
  const named = (of: (field: string) => string) =>
    sql.literal(fields.map(([field]) => `${of(field)} as "${String.camelToSnake(field)}"`).join(", "))
  const typed = sql.literal(fields.map(([field, type]) => `"${field}" ${type}`).join(", "))
  return sql.onDialectOrElse({
    pg: () =>
      sql`(select ${named((field) => `"${field}"`)} from json_to_recordset(${json}::json) as unpacked (${typed})) as given`,
    orElse: () => sql`(select ${named((field) => `value ->> '${field}'`)} from json_each(${json})) as given`
  })
}
