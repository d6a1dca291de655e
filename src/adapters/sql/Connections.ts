import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import { Effect } from "effect"

/** Stands between a connection and those who use it. */
export type Pass = <A>(statement: Effect.Effect<A, SqlError>, sql: string) => Effect.Effect<A, SqlError>

/** Wraps every statement of the connection with `pass`, except streams, which nothing uses. */
export const wrapped = (connection: Connection, pass: Pass): Connection => ({
  execute: (sql, params, transform) => pass(connection.execute(sql, params, transform), sql),
  executeRaw: (sql, params) => pass(connection.executeRaw(sql, params), sql),
  executeValues: (sql, params) => pass(connection.executeValues(sql, params), sql),
  executeUnprepared: (sql, params, transform) =>
    pass(
      Effect.suspend(() => connection.executeUnprepared(sql, params, transform)),
      sql
    ),
  executeStream: (sql, params, transform) => connection.executeStream(sql, params, transform)
})
