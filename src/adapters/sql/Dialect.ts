import type { SqlClient, Statement } from "@effect/sql"

/** What SQLite and PostgreSQL call by different names. */
export const dialectOf = (sql: SqlClient.SqlClient) => {
  const named = (sqlite: string, postgres: string): Statement.Fragment =>
    sql.literal(sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite }))
  return {
    named,
    /** The function that answers the greatest of its arguments. */
    greatest: named("max", "greatest"),
    /** The function that answers the least of its arguments. */
    least: named("min", "least"),
    /** Whether the column has one of any number of values, which are passed as one parameter. */
    isAmong: (column: string, values: ReadonlyArray<string> | ReadonlyArray<number>): Statement.Fragment => {
      if (values.length === 0) return sql`1 = 0`
      const type = values.every((value) => typeof value === "number") ? "bigint" : "text"
      return sql.onDialectOrElse({
        pg: () =>
          sql`${sql(column)} in (select value::${sql.literal(type)} from json_array_elements_text(${JSON.stringify(values)}::json))`,
        orElse: () => sql`${sql(column)} in (select value from json_each(${JSON.stringify(values)}))`
      })
    }
  }
}
