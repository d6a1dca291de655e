import type { SqlClient, Statement } from "@effect/sql"

interface Times {
  readonly table: string
  /** What a row has to be beside: that of an index by the column. */
  readonly where: Statement.Fragment
  /** The column of the time. */
  readonly column: string
  /** Times up to this one have come; as the column has them. */
  readonly now: string | number
  /** Times past this one have come too: a clock that was ahead set them. */
  readonly farthest: string | number
}

/**
 * The rows whose time has come (`isTimeCome`), as a condition on their id. Each end of the index is searched by itself: asked for both by `or`,
 * SQLite goes through the whole table, which jobs would do every second.
 */
export const isIdOfTimeCome = (
  sql: SqlClient.SqlClient,
  { table, where, column, now, farthest }: Times
): Statement.Fragment => {
  const [name, time] = [sql(table), sql(column)]
  return sql`id in (select id from ${name} where ${where} and ${time} <= ${now}
    union all select id from ${name} where ${where} and ${time} > ${farthest})`
}
